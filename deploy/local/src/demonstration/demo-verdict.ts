import { EVENT_NAMES } from '@form-webhooks/domain';
import { FIELDS_TEXT } from './demo-events.js';
import type { DemoRun } from './demo-account.js';
import type { DeliveryDetail } from './demonstration.js';
import type { DemoEndpoint } from './demo-setup.js';

/** What did not hold in a run, in sentences; nothing if all is well. */
export function problemsOf(run: DemoRun): string[] {
  return run.endpoints.flatMap((endpoint) =>
    EVENT_NAMES.flatMap((event) => {
      const detail = run.details.find((one) => one.event === event && one.endpoint_id === endpoint.id);
      if (!detail) return [`The delivery log has no delivery of ${event} to the ${endpoint.name} endpoint.`];
      return problemsOfDelivery(run, endpoint, detail).map((problem) => `${event} to ${endpoint.name}: ${problem}`);
    }),
  );
}

function problemsOfDelivery(run: DemoRun, endpoint: DemoEndpoint, detail: DeliveryDetail): string[] {
  const received = run.receiver.requestsOf(`/${endpoint.name}`, detail.delivery_id);
  const statuses = detail.attempts.map((attempt) => attempt.response?.status ?? attempt.error?.code ?? 'none');
  const expected = endpoint.name === 'flaky' ? [...Array<number>(run.refusals).fill(503), 200] : [200];
  // A retry in the far future isn't waited for: what has happened so far must be what was to happen.
  const isUnderWay = detail.state === 'retrying';
  const shown = isUnderWay ? expected.slice(0, statuses.length) : expected;
  const isAsExpected =
    JSON.stringify(statuses) === JSON.stringify(shown) && (isUnderWay || detail.state === 'delivered');
  return [
    isAsExpected
      ? []
      : `it is ${detail.state} after ${statuses.join(', ') || 'no attempt'}; expected was ${expected.join(', ')}.`,
    received.length === statuses.length
      ? []
      : `requests that the receiver got: ${received.length}; attempts in the log: ${statuses.length}.`,
    received.every((one) => one.plainSignature) ? [] : 'X-Service-Signature did not verify.',
    received.every((one) => one.standardSignature) ? [] : 'the Standard Webhooks signature did not verify.',
    received.every((one) => one.inReplayWindow) ? [] : 'its timestamp is outside the replay window of five minutes.',
    received.every((one) => one.body.includes(FIELDS_TEXT)) ? [] : 'the fields did not arrive byte for byte.',
    detail.attempts.every(({ request }, index) => request.body === received[index]?.body.toString('utf8'))
      ? []
      : 'the body in the delivery log is not the one that the receiver got.',
  ].flat();
}
