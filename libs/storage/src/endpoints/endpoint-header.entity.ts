import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { moment } from '../database/columns.js';
import { EndpointEntity } from './endpoint.entity.js';

/** A header that an endpoint's requests carry because its owner wants it, the value sealed. */
@Entity('endpoint_headers')
@ForeignKey(() => EndpointEntity, ['workspaceId', 'endpointId'], ['workspaceId', 'id'], {
  name: 'endpoint_headers_workspace_id_endpoint_id_fkey',
})
@Index('endpoint_headers_key_id_endpoint_id_name_idx', ['keyId', 'endpointId', 'name'])
export class EndpointHeaderEntity {
  /** Bound into the seal, with the workspace and the name: none of the three can change. */
  @PrimaryColumn('text', { name: 'endpoint_id', primaryKeyConstraintName: 'endpoint_headers_pkey' })
  endpointId: string;

  /** In lower case. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'endpoint_headers_pkey' })
  name: string;

  @Column('text', { name: 'workspace_id' })
  workspaceId: string;

  @Column('text')
  sealed: string;

  /** The key that seals it, as the sealed text says too: finds what a rotated key still holds. */
  @Column('text', { name: 'key_id' })
  keyId: string;

  /** When its value was set last. */
  @Column(moment('set_at'))
  setAt: Date;
}
