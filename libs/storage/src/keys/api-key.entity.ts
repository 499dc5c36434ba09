import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { maybeMoment, moment } from '../database/columns.js';

export type ApiKeyKind = 'workspace' | 'service';

/** A key's hash and what it allows; the key itself is shown once and kept nowhere. */
@Entity('api_keys')
@Index('api_keys_workspace_id_created_at_id_idx', ['workspaceId', 'createdAt', 'id'])
@Check('api_keys_kind_check', "kind IN ('workspace', 'service')")
@Check('api_keys_workspace_id_check', "(kind = 'workspace') = (workspace_id IS NOT NULL)")
export class ApiKeyEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'api_keys_pkey' })
  id: string;

  /** SHA-256 of the whole key, lower-case hex. A slow hash gains nothing on 256 random bits. */
  @Column('text')
  hash: string;

  @Column('text')
  name: string;

  @Column('text')
  kind: ApiKeyKind;

  @Column('text', { name: 'workspace_id', nullable: true })
  workspaceId: string | null;

  @Column('text', { array: true })
  scopes: string[];

  @Column(maybeMoment('expires_at'))
  expiresAt: Date | null;

  @Column(maybeMoment('last_used_at'))
  lastUsedAt: Date | null;

  @Column(moment('created_at'))
  createdAt: Date;

  @Column(maybeMoment('revoked_at'))
  revokedAt: Date | null;
}
