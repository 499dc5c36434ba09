import { Column, Entity, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '../database/columns.js';

/** The end of a workspace's chain; locking its row puts the workspace's entries in one order. */
@Entity('audit_heads')
export class AuditHeadEntity {
  @PrimaryColumn('text', { name: 'workspace_id', primaryKeyConstraintName: 'audit_heads_pkey' })
  workspaceId: string;

  @Column(wholeNumber('seq'))
  seq: number;

  @Column('text')
  hash: string;
}
