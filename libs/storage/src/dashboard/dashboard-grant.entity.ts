import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment } from '../database/columns.js';

/** A code is exchanged once for a session; both are known by their hash alone. */
export type DashboardGrantKind = 'code' | 'session';

/** What somebody who came to the dashboard may do, until when. */
@Entity('dashboard_grants')
@Index('dashboard_grants_workspace_id_actor_created_at_idx', ['workspaceId', 'actor', 'createdAt'])
@Index('dashboard_grants_expires_at_idx', ['expiresAt'])
@Check('dashboard_grants_kind_check', "kind IN ('code', 'session')")
export class DashboardGrantEntity {
  /** SHA-256 of the code or the session's cookie, lower-case hex. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'dashboard_grants_pkey' })
  hash: string;

  @Column('text')
  kind: DashboardGrantKind;

  @Column('text', { name: 'workspace_id' })
  workspaceId: string;

  /** As the audit log names it. */
  @Column('text')
  actor: string;

  @Column('text', { array: true })
  scopes: string[];

  /** Where the dashboard opens. */
  @Column('text', { name: 'form_id' })
  formId: string;

  /** The host product's page that hands over anew when the session has ended. */
  @Column('text', { name: 'host_url', nullable: true })
  hostUrl: string | null;

  /** The API key that opened it, which ends it when it is revoked; null where a person's token did. */
  @Column('text', { name: 'key_id', nullable: true })
  keyId: string | null;

  @Column(moment('created_at'))
  createdAt: Date;

  @Column(moment('expires_at'))
  expiresAt: Date;
}
