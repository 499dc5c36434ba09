import { DEFAULT_RETRY_SCHEDULE, parseRetrySchedule, type RetrySchedule } from '@form-webhooks/domain';
import { asDuration } from '../parsers.js';
import { Setting } from '../setting.js';

const DAY_MS = 86_400_000;

/**
 * When a delivery is attempted and for how long. The dispatchers do it; config must know the same values, to tell what is
 * late from what is lost, and for how long an erasure matters.
 */
export class DeliverySettings {
  @Setting({
    env: 'RETRY_SCHEDULE',
    meaning: 'the delays between attempts: n delays allow n + 1 attempts; config remembers erasures accordingly',
    default: DEFAULT_RETRY_SCHEDULE,
    parse: parseRetrySchedule,
  })
  readonly retrySchedule: RetrySchedule;

  @Setting({
    env: 'DELIVERY_MAX_AGE',
    meaning: 'how long after it began a delivery may still start an attempt; config remembers erasures as long',
    default: '24h',
    parse: asDuration(100, 30 * DAY_MS),
  })
  readonly maxAgeMs: number;

  @Setting({
    env: 'ATTEMPT_TIMEOUT',
    meaning: 'the one deadline of an attempt, from DNS to the last byte read; config counts nothing as lost before it',
    default: '15s',
    parse: asDuration(100, 30_000),
  })
  readonly attemptTimeoutMs: number;
}
