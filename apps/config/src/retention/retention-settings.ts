import { asInteger, Setting } from '@form-webhooks/settings';

/** For how long the delivery log goes back. */
export class RetentionSettings {
  @Setting({
    env: 'LOG_RETENTION_DAYS',
    meaning: 'for how many days the delivery log keeps what was accepted, payloads included',
    default: '30',
    parse: asInteger(1, 3_650),
  })
  readonly days: number;

  @Setting({
    env: 'LOG_DROP_MAX_DAYS',
    meaning: 'how many days of the delivery log may be dropped at once; more is taken for a wrong clock, and logged',
    default: '7',
    parse: asInteger(1, 3_650),
  })
  readonly maxDroppedDays: number;
}
