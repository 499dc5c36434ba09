import { nearestRank } from '@form-webhooks/domain';
import type { BenchStack } from './bench-stack.js';
import { FORMS } from './log-load.js';

export interface ReadTimes {
  readonly what: string;
  readonly p50: number;
  readonly p95: number;
  readonly calls: number;
}

/** Every filter, with matches that are common, rare, and none at all in the largest form. */
const FILTERS: readonly (readonly [string, (n: number) => string])[] = [
  ['one status', () => 'response_status=404'],
  ['a status that nobody answered', () => 'response_status=201'],
  ['an error that nobody had', () => 'error=tls'],
  ['an event that never came', () => 'event=draft.resumed'],
  ['one endpoint of the largest form', (n) => `endpoint_id=we_0_${n % 20}`],
  ['one endpoint, failed', (n) => `endpoint_id=we_0_${n % 20}&state=failed`],
  ['one submission', (n) => `submission_id=s_unknown_${n}`],
  ['cancelled ones, of which there are none', () => 'state=cancelled'],
];

/** How long the API takes over the loaded log, ms, one call after another over forms large and small. */
export async function readTimes(stack: BenchStack, calls: number): Promise<ReadTimes[]> {
  const ids = await someDeliveries(stack);
  const formOf = (n: number): string => `f_${n % 4 === 0 ? 0 : (n * 37) % FORMS}`;
  const from = new Date(Date.now() - 7 * 86_400_000).toISOString();
  const kinds: [string, (n: number) => string][] = [
    ['list, newest first', (n) => `/v1/forms/${formOf(n)}/deliveries?limit=100`],
    ['list, failed ones', (n) => `/v1/forms/${formOf(n)}/deliveries?limit=100&state=failed`],
    ['list, from a week ago', (n) => `/v1/forms/${formOf(n)}/deliveries?limit=100&to=${encodeURIComponent(from)}`],
    ...FILTERS.map(([what, filter]): [string, (n: number) => string] => [
      `list, ${what}`,
      (n) => `/v1/forms/${formOf(n)}/deliveries?limit=100&${filter(n)}`,
    ]),
    ['detail', (n) => `/v1/forms/f_0/deliveries/${ids[n % ids.length]!}`],
    ['statistics of a week', (n) => `/v1/forms/${formOf(n)}/stats?from=${encodeURIComponent(from)}`],
  ];
  const times: ReadTimes[] = [];
  for (const [what, path] of kinds) times.push(await time(stack, what, path, calls));
  return times;
}

async function time(stack: BenchStack, what: string, path: (n: number) => string, calls: number): Promise<ReadTimes> {
  const took: number[] = [];
  for (let n = 0; n < calls; n++) {
    const began = process.hrtime.bigint();
    await stack.api('GET', path(n));
    took.push(Number(process.hrtime.bigint() - began) / 1e6);
  }
  took.sort((a, b) => a - b);
  return { what, p50: nearestRank(took, 0.5), p95: nearestRank(took, 0.95), calls };
}

/** Pages through the logs of form after form, the largest first. @returns how many deliveries it saw */
export async function pageThrough(stack: BenchStack, max: number, afterPage: () => void): Promise<number> {
  let seen = 0;
  for (let form = 0; form < FORMS && seen < max; form++) {
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = (await stack.api('GET', `/v1/forms/f_${form}/deliveries?limit=100${query}`)) as unknown as Page;
      seen += page.items.length;
      cursor = page.next_cursor;
      afterPage();
    } while (cursor !== null && seen < max);
  }
  return seen;
}

interface Page {
  readonly items: readonly { readonly delivery_id: string }[];
  readonly next_cursor: string | null;
}

async function someDeliveries(stack: BenchStack): Promise<string[]> {
  const page = (await stack.api('GET', `/v1/forms/f_0/deliveries?limit=100`)) as unknown as Page;
  return page.items.map(({ delivery_id }) => delivery_id);
}
