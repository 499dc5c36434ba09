import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { maybeMoment, moment } from '../database/columns.js';
import { EndpointEntity } from './endpoint.entity.js';

/** `prepared` is shown but without effect, `current` signs, `previous` ones sign beside it until they expire. */
export type SecretState = 'prepared' | 'current' | 'previous';

/**
 * A signing secret, sealed. There is at most one `prepared` and one `current`; one that has no state any more is deleted.
 */
@Entity('endpoint_secrets')
@ForeignKey(() => EndpointEntity, ['workspaceId', 'endpointId'], ['workspaceId', 'id'], {
  name: 'endpoint_secrets_workspace_id_endpoint_id_fkey',
})
@Index('endpoint_secrets_endpoint_id_state_idx', ['endpointId', 'state'], {
  unique: true,
  where: "state <> 'previous'",
})
@Index('endpoint_secrets_endpoint_id_expires_at_idx', ['endpointId', 'expiresAt'], { where: "state = 'previous'" })
@Index('endpoint_secrets_key_id_id_idx', ['keyId', 'id'])
@Check('endpoint_secrets_state_check', "state IN ('prepared', 'current', 'previous')")
@Check('endpoint_secrets_expires_at_check', "(state = 'previous') = (expires_at IS NOT NULL)")
export class EndpointSecretEntity {
  /** Bound into the seal, with the workspace and the endpoint: none of the three can change. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'endpoint_secrets_pkey' })
  id: string;

  @Column('text', { name: 'workspace_id' })
  workspaceId: string;

  @Column('text', { name: 'endpoint_id' })
  endpointId: string;

  @Column('text')
  sealed: string;

  /** The key that seals it, as the sealed text says too: finds what a rotated key still holds. */
  @Column('text', { name: 'key_id' })
  keyId: string;

  /** What people are shown to tell two secrets apart. */
  @Column('text')
  hint: string;

  @Column('text')
  state: SecretState;

  @Column(maybeMoment('expires_at'))
  expiresAt: Date | null;

  @Column(moment('created_at'))
  createdAt: Date;

  /** Null in what was made before this was noted; so is the next one. */
  @Column('text', { name: 'created_by', nullable: true })
  createdBy: string | null;

  @Column(maybeMoment('state_since'))
  stateSince: Date | null;
}
