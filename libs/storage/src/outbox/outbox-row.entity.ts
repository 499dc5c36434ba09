import { Check, Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { moment } from '../database/columns.js';

/** Where an outbox row goes: to every subscriber of config changes, or to a dispatcher as a delivery. */
export type OutboxKind = 'config_change' | 'delivery';

/** A message that commits with the change that causes it, is published after, and goes once the broker confirmed it. */
@Entity('outbox')
@Check('outbox_kind_check', "kind IN ('config_change', 'delivery')")
export class OutboxRowEntity {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'outbox_pkey',
  })
  id: string;

  @Column('text')
  kind: OutboxKind;

  @Column('jsonb')
  headers: Record<string, string | number>;

  @Column('bytea')
  body: Buffer;

  @Column({ ...moment('created_at'), default: () => 'now()' })
  createdAt: Date;
}
