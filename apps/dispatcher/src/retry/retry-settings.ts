import { DEFAULT_RETRY_QUEUE_MARGIN_MS } from '@form-webhooks/broker';
import { asDuration, asInteger, asList, Setting } from '@form-webhooks/settings';

const DAY_MS = 86_400_000;

const asStatuses = (text: string): ReadonlySet<number> => new Set(asList(text).map(asInteger(400, 499)));

/** What is tried again, and where it waits; the delays are in DeliverySettings. */
export class RetrySettings {
  @Setting({
    env: 'RETRY_STATUSES',
    meaning: 'statuses of 4xx that are tried again, besides every 5xx',
    default: '408,425,429',
    parse: asStatuses,
  })
  readonly statuses: ReadonlySet<number>;

  @Setting({
    env: 'RETRY_QUEUE_MARGIN',
    meaning: "how much longer than twice its delay an endpoint's retry queue outlives its last use",
    default: `${DEFAULT_RETRY_QUEUE_MARGIN_MS}ms`,
    parse: asDuration(500, DAY_MS),
  })
  readonly queueMarginMs: number;

  @Setting({
    env: 'RETRY_QUEUES_MAX',
    meaning: 'retry queues of single endpoints that one dispatcher keeps alive; beyond it delays are shared',
    default: '5000',
    parse: asInteger(0, 100_000),
  })
  readonly queuesMax: number;
}
