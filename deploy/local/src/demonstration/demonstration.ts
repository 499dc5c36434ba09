import { setTimeout as wait } from 'node:timers/promises';
import { EVENT_NAMES } from '@form-webhooks/domain';
import type { ApiClient } from './api-client.js';
import { describeRun, type DemoRun } from './demo-account.js';
import { eventText } from './demo-events.js';
import type { DemoReceiver } from './demo-receiver.js';
import { DEMO_FORM, newSubmission, type DemoEndpoint } from './demo-setup.js';
import { problemsOf } from './demo-verdict.js';
import { LocalFailure } from '../failure.js';

export interface DeliveryView {
  readonly delivery_id: string;
  readonly event_id: string;
  readonly event: string;
  readonly endpoint_id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly attempt_count: number;
  readonly accepted_at: string;
  readonly next_attempt_at: string | null;
  readonly completed_at: string | null;
  readonly last_response_status: number | null;
}

export interface AttemptView {
  readonly number: number;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly request: { readonly body: string | null };
  readonly response: { readonly status: number } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface DeliveryDetail extends DeliveryView {
  readonly attempts: readonly AttemptView[];
}

export interface DemonstrationParts {
  readonly config: ApiClient;
  readonly ingest: ApiClient;
  readonly receiver: DemoReceiver;
  readonly endpoints: readonly DemoEndpoint[];
  /** How often `/flaky` refuses a delivery first. */
  readonly refusals: number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

const POLL_MS = 200;
/** How long a delivery may take beyond the moment for which its next attempt is announced. */
const PATIENCE_MS = 30_000;
/** A retry that is due later than this isn't waited for. */
const FAR_MS = 5 * 60_000;

/**
 * Sends one event of each type to both paths of the receiver and tells what became of them.
 * @throws LocalFailure that says what did not hold
 */
export async function demonstrate(parts: DemonstrationParts): Promise<void> {
  const submissionId = newSubmission();
  for (const event of EVENT_NAMES) await parts.ingest.post('/v1/events', eventText(event, DEMO_FORM, submissionId));
  const deliveries = await settledDeliveries(parts, submissionId);
  const details: DeliveryDetail[] = [];
  for (const { delivery_id } of deliveries) {
    details.push(await parts.config.get<DeliveryDetail>(`/v1/forms/${DEMO_FORM}/deliveries/${delivery_id}`));
  }
  const { endpoints, receiver, refusals } = parts;
  const run: DemoRun = { submissionId, endpoints, details, receiver, refusals };
  describeRun(run).forEach(parts.say);
  const problems = problemsOf(run);
  if (problems.length > 0) throw new LocalFailure(`${problems.join('\n')}`);
}

/** Waits until every delivery is final, as long as something is still to come in the near future. */
async function settledDeliveries(parts: DemonstrationParts, submissionId: string): Promise<readonly DeliveryView[]> {
  const expected = EVENT_NAMES.length * parts.endpoints.length;
  const path = `/v1/forms/${DEMO_FORM}/deliveries?submission_id=${submissionId}&limit=100`;
  let deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const { items } = await parts.config.get<{ items: readonly DeliveryView[] }>(path);
    const open = items.filter(({ state }) => state === 'pending' || state === 'retrying');
    const near = open.filter((one) => dueMs(one) - Date.now() < FAR_MS);
    if (items.length === expected && near.length === 0) return items;
    deadline = Math.max(deadline, ...near.map((one) => dueMs(one) + PATIENCE_MS));
    if (Date.now() > deadline) return items;
    await wait(POLL_MS, undefined, { signal: parts.signal });
  }
}

const dueMs = (delivery: DeliveryView): number =>
  delivery.next_attempt_at === null ? 0 : Date.parse(delivery.next_attempt_at);
