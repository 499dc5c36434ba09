import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { maybeMoment, moment } from '../database/columns.js';
import { FormEntity } from '../forms/form.entity.js';

/** Who switched an endpoint off: its owner, or a receiver that answered 410. */
export type DisabledReason = 'owner' | 'gone';

/** A receiver's URL. Its row outlives its deletion, so that the log can name what it delivered to. */
@Entity('endpoints')
@ForeignKey(() => FormEntity, ['workspaceId', 'formId'], ['workspaceId', 'id'], {
  name: 'endpoints_workspace_id_form_id_fkey',
})
@Unique('endpoints_workspace_id_id_key', ['workspaceId', 'id'])
@Index('endpoints_form_id_created_at_id_idx', ['formId', 'createdAt', 'id'], { where: 'deleted_at IS NULL' })
@Check('endpoints_disabled_reason_check', '(disabled_reason IS NULL) = enabled')
@Check('endpoints_events_check', 'cardinality(events) > 0')
export class EndpointEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'endpoints_pkey' })
  id: string;

  @Column('text', { name: 'workspace_id' })
  workspaceId: string;

  @Column('text', { name: 'form_id' })
  formId: string;

  /** In canonical form: exactly what is shown, dialled and signed for. */
  @Column('text')
  url: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text', { array: true })
  events: string[];

  @Column('boolean')
  enabled: boolean;

  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason: DisabledReason | null;

  /** Since when it is off; null while it is on, and in one that was off before this was noted. */
  @Column(maybeMoment('disabled_at'))
  disabledAt: Date | null;

  /** Statuses of 4xx after which it is tried again, ascending; null for the installation's. */
  @Column('integer', { name: 'retry_statuses', array: true, nullable: true })
  retryStatuses: number[] | null;

  /** A 3xx counts as received, also in the check of its URL. */
  @Column('boolean', { name: 'redirect_is_success', default: false })
  redirectIsSuccess: boolean;

  /** Its own delays between attempts, ms; null for those of the installation. */
  @Column('integer', { name: 'retry_schedule', array: true, nullable: true })
  retrySchedule: number[] | null;

  /** Attempts a second at most, from all dispatchers together; null for any number. */
  @Column('double precision', { name: 'rate_limit', nullable: true })
  rateLimit: number | null;

  /** Grows with every change: the ETag, and what a 410 must still match to switch the endpoint off. */
  @Column('integer')
  version: number;

  @Column(moment('created_at'))
  createdAt: Date;

  @Column(moment('updated_at'))
  updatedAt: Date;

  @Column(maybeMoment('deleted_at'))
  deletedAt: Date | null;
}
