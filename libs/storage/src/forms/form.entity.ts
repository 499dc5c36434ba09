import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { maybeMoment, moment } from '../database/columns.js';

/** A form that the form service registered. Its row outlives its removal: deliveries of it are still in the log. */
@Entity('forms')
@Index('forms_workspace_id_created_at_id_idx', ['workspaceId', 'createdAt', 'id'], { where: 'deleted_at IS NULL' })
@Index('forms_created_at_id_idx', ['createdAt', 'id'], { where: 'deleted_at IS NULL' })
@Unique('forms_workspace_id_id_key', ['workspaceId', 'id'])
export class FormEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'forms_pkey' })
  id: string;

  @Column('text', { name: 'workspace_id' })
  workspaceId: string;

  @Column('text')
  name: string;

  @Column(moment('created_at'))
  createdAt: Date;

  @Column(moment('updated_at'))
  updatedAt: Date;

  @Column(maybeMoment('deleted_at'))
  deletedAt: Date | null;
}
