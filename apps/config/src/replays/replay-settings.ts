import { asInteger, Setting } from '@form-webhooks/settings';

/** What one replay by filter may do. */
export class ReplaySettings {
  @Setting({
    env: 'REPLAY_MAX_DELIVERIES',
    meaning: 'deliveries that one replay by filter may choose',
    default: '100000',
    parse: asInteger(1, 1_000_000),
  })
  readonly maxDeliveries: number;

  @Setting({
    env: 'REPLAY_RATE',
    meaning: 'deliveries a second that one replay by filter sends at most',
    default: '50',
    parse: asInteger(1, 10_000),
  })
  readonly rate: number;
}
