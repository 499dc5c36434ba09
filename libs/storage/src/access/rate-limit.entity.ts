import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment } from '../database/columns.js';

/** A token bucket that the replicas share. The table is unlogged: after a crash everyone starts with a full bucket. */
@Entity('rate_limits')
export class RateLimitEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'rate_limits_pkey' })
  bucket: string;

  @Column('double precision')
  tokens: number;

  @Column(moment('refilled_at'))
  refilledAt: Date;

  /** When it will be full, and its row worth nothing. */
  @Column(moment('full_at'))
  fullAt: Date;
}
