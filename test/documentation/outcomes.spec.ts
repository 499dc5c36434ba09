import {
  decideNextStep,
  ERROR_CODES,
  parseRetrySchedule,
  type AttemptContext,
  type AttemptResult,
  type RetryPolicy,
} from '@form-webhooks/domain';
import { describe, expect, it } from 'vitest';
import { tableUnder } from './pages.js';
import { readText } from './repository.js';

/*
 * The table of outcomes in docs/delivery-states.md, row by row, against the code that decides: a row that is changed, added
 * or dropped on either side fails here.
 */

const DAY = 86_400_000;
const POLICY: RetryPolicy = {
  schedule: parseRetrySchedule('10s'),
  retryStatuses: new Set([408, 425, 429]),
  deliveryMaxAgeMs: DAY,
};
const FIRST: AttemptContext = {
  ...{ position: { generation: 0, try: 0, deferrals: 0 }, deliveryId: 'dlv_1', endpointId: 'we_1' },
  ...{ generationStartedAt: 0, now: 0, singleAttempt: false },
};

interface Sample {
  readonly results: readonly AttemptResult[];
  readonly context?: Partial<AttemptContext>;
}

const from = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
const answered = (statuses: readonly number[]): AttemptResult[] =>
  statuses.map((status) => ({ kind: 'response', status }));
const broke = (codes: readonly (typeof ERROR_CODES)[number][]): AttemptResult[] =>
  codes.map((code) => ({ kind: 'error', code }));

const NOTHING_SENT = ['invalid_url', 'address_not_allowed'] as const;
const WAY_BROKE = ERROR_CODES.filter((code) => code !== 'not_https' && !NOTHING_SENT.some((other) => other === code));
const FINAL_4XX = from(400, 499).filter((status) => status !== 410 && !POLICY.retryStatuses.has(status));
const UNAVAILABLE = answered([503]);

/** What each row speaks of. */
const OUTCOMES: Readonly<Record<string, Sample>> = {
  '2xx': { results: answered(from(200, 299)) },
  '5xx, and 4xx in `RETRY_STATUSES` (408, 425, 429)': {
    results: answered([...from(500, 599), ...POLICY.retryStatuses]),
  },
  'time-out, DNS, connect, TLS, reset, broken HTTP': { results: broke(WAY_BROKE) },
  'an address that is not allowed, an unreadable URL': { results: broke(NOTHING_SENT) },
  '410': { results: answered([410]) },
  '3xx': { results: answered(from(300, 399)) },
  'other 4xx': { results: answered(FINAL_4XX) },
  'a URL that is not HTTPS': { results: broke(['not_https']) },
  'would be retried, but the schedule has ended': {
    results: UNAVAILABLE,
    context: { position: { generation: 0, try: 1, deferrals: 0 } },
  },
  'would be retried, but it was a test send': { results: UNAVAILABLE, context: { singleAttempt: true } },
  'would be retried later than `DELIVERY_MAX_AGE` allows': { results: UNAVAILABLE, context: { now: DAY } },
};

/** The second column, as the code says it. */
function stepOf(cell: string): object {
  if (cell.startsWith('retry')) return { kind: 'retry' };
  const [kind, reason] = [...cell.matchAll(/`(\w+)`/g)].map(([, word]) => word);
  return reason === undefined ? { kind } : { kind, reason };
}

describe("the table of an attempt's outcomes", () => {
  const rows = tableUnder(readText('docs/delivery-states.md'), "What an attempt's outcome means");

  it('has a row for each kind of outcome, and no other', () => {
    expect(rows.map(([outcome]) => outcome).sort()).toEqual(Object.keys(OUTCOMES).sort());
  });

  it('speaks of each status and each error', () => {
    const named = Object.values(OUTCOMES).flatMap(({ results }) => results);
    const words = named.map((result) => (result.kind === 'response' ? result.status : result.code));
    expect(new Set(words)).toEqual(new Set([...from(200, 599), ...ERROR_CODES]));
  });

  it.each(rows)('says what follows from: %s', (outcome, next) => {
    const { results, context } = OUTCOMES[outcome!]!;
    expect(results).not.toHaveLength(0);
    for (const result of results) {
      expect(decideNextStep(result, { ...FIRST, ...context }, POLICY)).toMatchObject(stepOf(next!));
    }
  });
});
