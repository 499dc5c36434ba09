import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { moment, wholeNumber } from '../database/columns.js';

/**
 * One link of a workspace's chain. `text` is what happened, exactly as it was hashed; the columns beside it only serve
 * the search, and verification compares them with the text.
 */
@Entity('audit_entries')
@Unique('audit_entries_id_key', ['id'])
@Index('audit_entries_workspace_id_form_id_seq_idx', ['workspaceId', 'formId', 'seq'])
@Index('audit_entries_workspace_id_at_idx', ['workspaceId', 'at'])
export class AuditEntryEntity {
  @PrimaryColumn('text', { name: 'workspace_id', primaryKeyConstraintName: 'audit_entries_pkey' })
  workspaceId: string;

  @PrimaryColumn({ ...wholeNumber('seq'), nullable: false, primaryKeyConstraintName: 'audit_entries_pkey' })
  seq: number;

  @Column('text')
  id: string;

  @Column(moment('at'))
  at: Date;

  @Column('text')
  actor: string;

  @Column('text')
  action: string;

  @Column('text', { name: 'form_id', nullable: true })
  formId: string | null;

  @Column('text')
  text: string;

  /** SHA-256, lower-case hex, over the hash before it and the text. */
  @Column('text')
  hash: string;
}
