import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment } from '../database/columns.js';

/** A write that was made under a caller's key. Its row commits with the write itself, its answer a moment later. */
@Entity('idempotent_writes')
@Index('idempotent_writes_claimed_at_idx', ['claimedAt'])
export class IdempotentWriteEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'idempotent_writes_pkey' })
  caller: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'idempotent_writes_pkey' })
  key: string;

  /** SHA-256 of what was asked, so that the key is not taken for another request. */
  @Column('bytea', { name: 'request_hash' })
  requestHash: Buffer;

  @Column(moment('claimed_at'))
  claimedAt: Date;

  /** Null until the caller was answered. Sealed, because an answer can hold a secret that is shown once. */
  @Column('text', { name: 'sealed_answer', nullable: true })
  sealedAnswer: string | null;
}
