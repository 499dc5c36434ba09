import { nearestRank } from '@form-webhooks/domain';
import type { ExpectedDelivery } from './expectation.js';

/** From when to when, ms since the epoch. */
export interface Span {
  readonly kind: string;
  readonly from: number;
  readonly to: number;
}

/** How long events waited that were begun in some time, ms. */
export interface Waits {
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

/**
 * From when the form service began to send an event until it was first POSTed to the endpoint that answers at once, for
 * the events begun while faults of a kind struck. An event that was sent again and again until it was accepted counts
 * from the first time.
 * @param begunAt by marker; events that are not in it don't count
 */
export function waitsByKind(
  spans: readonly Span[],
  deliveries: Iterable<ExpectedDelivery>,
  begunAt: readonly number[],
): Map<string, Waits> {
  const waits = new Map<string, number[]>(spans.map(({ kind }) => [kind, []]));
  for (const { marker, endpoint, firstAt } of deliveries) {
    const began = begunAt[marker];
    if (began === undefined || endpoint.behaviour !== 'steady' || !Number.isFinite(firstAt)) continue;
    // Faults come one after another: an event began during one of them at most.
    const span = spans.find(({ from, to }) => began >= from && began <= to);
    if (span) waits.get(span.kind)!.push(firstAt - began);
  }
  return new Map([...waits].filter(([, all]) => all.length > 0).map(([kind, all]) => [kind, summaryOf(all)]));
}

function summaryOf(waits: number[]): Waits {
  waits.sort((a, b) => a - b);
  return { p50: nearestRank(waits, 0.5), p99: nearestRank(waits, 0.99), longest: waits.at(-1)! };
}
