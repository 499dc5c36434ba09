import type { DeliveryDto, EventSearchDto, FoundEventDto, FoundParkedDto } from '@form-webhooks/http-api';
import { counted } from '../../counted.js';
import { ApiClient } from '../api-client.js';
import { EXIT, type OpsCommand } from '../ops-command.js';

/** Did an event arrive, and where is it? */
export const FIND: OpsCommand = {
  name: 'find',
  takes: ['id'],
  summary: 'did an event arrive, and where is it? By the id of an event or a delivery, or the key it was sent with',
  async run({ installation, output, args: [id] }) {
    const api = new ApiClient(installation);
    const found = await api.call<EventSearchDto>('GET', `/v1/event-search?id=${encodeURIComponent(id!)}`);
    output.result(found, linesOf(found));
    return found.events.length + (found.broker?.parked.length ?? 0) > 0 ? EXIT.fine : EXIT.found;
  },
};

/** A search as lines. */
function linesOf({ summary, events, broker }: EventSearchDto): string[] {
  const waiting = (broker?.waiting ?? []).map(
    ({ queue, messages }) => `  ${counted(messages, 'waits', 'wait')} in ${queue}`,
  );
  // Of a single event the whole's summary tells what its own does.
  const told = events.flatMap((event) => linesOfEvent(event, events.length > 1));
  return [summary, ...told, ...(broker?.parked ?? []).flatMap(linesOfParked), ...waiting];
}

const linesOfEvent = (
  { event_id, event, form_id, submission_id, summary, deliveries }: FoundEventDto,
  isSummed: boolean,
): string[] => [
  `event ${event_id}  ${event}  form ${form_id}  submission ${submission_id}`,
  ...(isSummed ? [`  ${summary}`] : []),
  ...deliveries.map((delivery) => `  ${lineOfDelivery(delivery)}`),
];

/** A delivery in one line, as `find` and `tail` show it. */
export function lineOfDelivery(delivery: DeliveryDto): string {
  const { delivery_id, endpoint_id, state, reason, attempt_count, last_response_status, last_error } = delivery;
  const last = last_error ?? (last_response_status === null ? null : `HTTP ${last_response_status}`);
  return [
    `${delivery_id}  ${endpoint_id}  ${reason === null ? state : `${state} (${reason})`}`,
    `${counted(attempt_count, 'attempt', 'attempts')}${last === null ? '' : `, last ${last}`}`,
    ...(delivery.next_attempt_at === null ? [] : [`next at ${delivery.next_attempt_at}`]),
    ...(delivery.waits_for === null ? [] : [`waits for ${delivery.waits_for}`]),
  ].join('  ');
}

const linesOfParked = (parked: FoundParkedDto): string[] => [
  `${parked.queue}: ${parked.reason}`,
  `  message_id ${parked.message_id ?? '-'}  sent ${parked.sent_at ?? '-'} by ${parked.sent_by ?? '-'}  parked ${parked.parked_at ?? '-'}`,
  '  `parked show`, then `parked send` once the cause is gone, or `parked drop`',
];
