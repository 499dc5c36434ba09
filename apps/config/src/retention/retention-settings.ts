import { asInteger, asMomentIfAny, Setting } from '@form-webhooks/settings';

/** What this process's clock may differ from the one that the moment of a restore was read from, in minutes. */
const CLOCKS_DIFFER_MIN = 10;

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

  @Setting({
    env: 'LOG_HOLD_DAYS',
    meaning:
      'for how many days more a day of the log is kept on which a delivery is not final or waits for a running replay; ' +
      '0: none is',
    default: '7',
    parse: asInteger(0, 3_650),
  })
  readonly holdDays: number;

  @Setting({
    env: 'RESTORED_AT',
    meaning:
      'when the database was last restored from a backup, like 2026-11-29T07:30:00Z: no delivery that began before is ' +
      'sent again because it seems lost; empty if it never was',
    default: '',
    parse: asPastMomentIfAny,
  })
  readonly restoredAt: number | null;
}

/** Until a moment to come all that the broker loses would end as expired, since it began before. */
function asPastMomentIfAny(text: string): number | null {
  const ms = asMomentIfAny(text);
  const now = Date.now();
  if (ms === null || ms <= now + CLOCKS_DIFFER_MIN * 60_000) return ms;
  throw new RangeError(
    `${toSecond(ms)}, in UTC, lies more than ${CLOCKS_DIFFER_MIN} minutes ahead: now is ${toSecond(now)}`,
  );
}

const toSecond = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+/, '');
