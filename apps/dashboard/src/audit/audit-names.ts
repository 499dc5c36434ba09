import { DELIVERY_STATES, EVENT_NAMES } from '@form-webhooks/domain/enumerations';
import { oneOf } from '../text/read-address.js';
import { SETTING_LABELS } from '../text/setting-labels.js';
import type { Text, TextId } from '../text/text.js';
import { visibleText } from '../ui/visible-text.js';

/** What entries of a form say was done; the API takes others too. */
export const ACTIONS = [
  'form.registered',
  'form.updated',
  'form.removed',
  'endpoint.created',
  'endpoint.updated',
  'endpoint.deleted',
  'endpoint.disabled',
  'secret.prepared',
  'secret.regenerated',
  'secret.overlap_changed',
  'secret.shown_again',
  'delivery.replayed',
  'delivery.retried',
  'delivery.cancelled',
  'deliveries.paused',
  'deliveries.resumed',
  'replay.started',
  'replay.cancelled',
  'event.sent',
  'submission.erased',
  'payload.viewed',
  'dashboard.opened',
] as const;

/** Why an endpoint is off. */
const DISABLED_REASONS = ['owner', 'gone'] as const;

/** What was done, as people call it; undefined for what entries of a form do not say. */
export function actionName(action: string, t: Text): string | undefined {
  const known = oneOf(ACTIONS, action);
  return known === undefined ? undefined : t(`audit.action.${known}`);
}

/** The fields of such entries. Those that stand in a form or a view as well are called as they are there. */
const FIELDS: ReadonlyMap<string, TextId> = new Map(
  Object.entries({
    ...SETTING_LABELS,
    name: 'audit.field.name',
    endpoints: 'endpoints.title',
    enabled: 'audit.field.enabled',
    disabled_reason: 'audit.field.disabled_reason',
    secret: 'rotation.title',
    prepared_secret: 'audit.field.prepared_secret',
    overlap_seconds: 'audit.field.overlap_seconds',
    expires_at: 'audit.field.expires_at',
    state: 'delivery.state',
    generation: 'audit.field.generation',
    delivery_id: 'delivery.id',
    delivery_ids: 'audit.field.delivery_ids',
    filter: 'audit.field.filter',
    matched: 'replay.matched',
    scopes: 'audit.field.scopes',
  } satisfies Readonly<Record<string, TextId>>),
);

/** Of a header that an owner adds; its own name follows. */
const HEADER = 'headers.';

/** What a field is called by people; by its own name if a service of another release has named it. */
export function fieldName(field: string, t: Text): string {
  if (field.startsWith(HEADER)) return t('audit.field.header', { name: visibleText(field.slice(HEADER.length)) });
  const known = FIELDS.get(field);
  return known === undefined ? visibleText(field) : t(known);
}

/** What a field's value is called by people; undefined if only the API has a word for it. */
function valueName(field: string, value: string, t: Text): string | undefined {
  const event = field === 'events' ? oneOf(EVENT_NAMES, value) : undefined;
  if (event !== undefined) return t(`event.${event}`);
  const state = field === 'state' ? oneOf(DELIVERY_STATES, value) : undefined;
  if (state !== undefined) return t(`state.${state}`);
  const reason = field === 'disabled_reason' ? oneOf(DISABLED_REASONS, value) : undefined;
  return reason === undefined ? undefined : t(`audit.disabled.${reason}`);
}

/** A value of a field, as it was or is. */
export function valueWords(field: string, value: unknown, t: Text): string {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'boolean') return t(value ? 'common.yes' : 'common.no');
  if (Array.isArray(value)) return value.map((one) => valueWords(field, one, t)).join(', ') || '–';
  if (typeof value !== 'string') return visibleText(JSON.stringify(value));
  return valueName(field, value, t) ?? visibleText(value);
}
