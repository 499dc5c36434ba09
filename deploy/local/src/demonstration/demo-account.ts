import { EVENT_NAMES } from '@form-webhooks/domain';
import type { DemoReceiver, ReceivedRequest } from './demo-receiver.js';
import { DEMO_FORM, type DemoEndpoint } from './demo-setup.js';
import type { DeliveryDetail } from './demonstration.js';

/** What happened in one demonstration. */
export interface DemoRun {
  readonly submissionId: string;
  readonly endpoints: readonly DemoEndpoint[];
  readonly details: readonly DeliveryDetail[];
  readonly receiver: DemoReceiver;
  readonly refusals: number;
}

/** A readable account of a run, line by line. */
export function describeRun(run: DemoRun): string[] {
  const received = run.details.flatMap((detail) => requestsFor(run, detail));
  const verified = (test: (one: ReceivedRequest) => boolean): string =>
    `${received.filter(test).length} of ${received.length} requests`;
  return [
    '',
    'What the receiver got',
    ...run.endpoints.flatMap((endpoint) => EVENT_NAMES.map((event) => describeDelivery(run, endpoint, event))),
    '',
    'Signatures',
    `  X-Service-Signature  verified on ${verified((one) => one.plainSignature)} (with libs/receiver)`,
    `  webhook-signature    verified on ${verified((one) => one.standardSignature)} (with the npm package standardwebhooks)`,
    '',
    `Delivery log: GET /v1/forms/${DEMO_FORM}/deliveries?submission_id=${run.submissionId}`,
    ...table([
      ['accepted_at', 'event', 'endpoint', 'state', 'attempts', 'last_response_status', 'delivery_id'],
      ...run.details.map((one) => [
        one.accepted_at,
        one.event,
        nameOf(run, one),
        one.state,
        String(one.attempt_count),
        String(one.last_response_status ?? ''),
        one.delivery_id,
      ]),
    ]),
    ...describeAttempts(run),
  ];
}

function describeDelivery(run: DemoRun, endpoint: DemoEndpoint, event: string): string {
  const detail = run.details.find((one) => one.event === event && one.endpoint_id === endpoint.id);
  const label = `  /${endpoint.name.padEnd(8)} ${event.padEnd(19)}`;
  if (!detail) return `${label} nothing`;
  const received = requestsFor(run, detail);
  const steps = received.map((one, index) => {
    const before = received[index - 1];
    return `${before ? `→ ${seconds(one.arrivedAt - before.arrivedAt)} later ` : ''}${one.status}`;
  });
  return `${label} ${steps.join(' ')}  ${detail.state}${whenNext(detail)}`;
}

/** The attempts of one delivery as the log has them, of the one with the most. */
function describeAttempts(run: DemoRun): string[] {
  const [longest] = [...run.details].sort((a, b) => b.attempts.length - a.attempts.length);
  if (!longest) return [];
  return [
    '',
    `Its attempts: GET /v1/forms/${DEMO_FORM}/deliveries/${longest.delivery_id}`,
    ...table([
      ['number', 'started_at', 'response', 'duration'],
      ...longest.attempts.map((one) => [
        String(one.number),
        one.started_at,
        String(one.response?.status ?? one.error?.code ?? ''),
        `${Math.round(one.duration_ms)} ms`,
      ]),
    ]),
    '',
  ];
}

const requestsFor = (run: DemoRun, detail: DeliveryDetail): ReceivedRequest[] =>
  run.receiver.requestsOf(`/${nameOf(run, detail)}`, detail.delivery_id);

const nameOf = (run: DemoRun, detail: DeliveryDetail): string =>
  run.endpoints.find(({ id }) => id === detail.endpoint_id)?.name ?? detail.endpoint_id;

const whenNext = (detail: DeliveryDetail): string =>
  detail.state === 'retrying' && detail.next_attempt_at !== null ? `, next attempt at ${detail.next_attempt_at}` : '';

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Rows with columns of equal width. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd());
}
