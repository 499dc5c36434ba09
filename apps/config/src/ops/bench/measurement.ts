import { nearestRank } from '@form-webhooks/domain';

/** What became of the events of a measurement; moments in ms. */
export interface Measurement {
  readonly sent: number;
  readonly accepted: number;
  /** By the status. */
  readonly refused: Readonly<Record<string, number>>;
  /** Sent, and no answer came: these may have been accepted. */
  readonly unanswered: number;
  /** Also of those without an answer. */
  readonly delivered: number;
  /** Came more than once: after an attempt whose answer was not seen. */
  readonly repeated: number;
  /** From the call of ingest to its answer. */
  readonly accept_ms: Percentiles | null;
  /** From the call of ingest to the request at the receiver. */
  readonly delivery_ms: Percentiles | null;
  /** From the first to the last request at the receiver; null with fewer than two. */
  readonly deliveries_per_second: number | null;
}

/** Of at least one value. */
export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

/** Notes what becomes of each event; one entry an event, of which there are a bounded number. */
export class Measuring {
  private readonly sentAt = new Map<number, number>();
  private readonly acceptMs: number[] = [];
  private readonly deliveryMs = new Map<number, number>();
  /** Accepted, and not yet come. */
  private readonly awaited = new Set<number>();
  private readonly refused: Record<string, number> = {};
  private repeated = 0;
  private firstAt = Infinity;
  private lastAt = -Infinity;

  sends(n: number, at: number): void {
    this.sentAt.set(n, at);
  }

  accepted(n: number, at: number): void {
    this.acceptMs.push(at - this.sentAt.get(n)!);
    if (!this.deliveryMs.has(n)) this.awaited.add(n);
  }

  refuses(why: string): void {
    this.refused[why] = (this.refused[why] ?? 0) + 1;
  }

  /** An event's request came; one of another measurement is ignored. */
  arrives(n: number, at: number): void {
    const sentAt = this.sentAt.get(n);
    if (sentAt === undefined) return;
    if (this.deliveryMs.has(n)) this.repeated += 1;
    else this.deliveryMs.set(n, at - sentAt);
    this.awaited.delete(n);
    this.firstAt = Math.min(this.firstAt, at);
    this.lastAt = Math.max(this.lastAt, at);
  }

  /** Whether everything that was accepted has come. */
  get isComplete(): boolean {
    return this.awaited.size === 0;
  }

  result(): Measurement {
    const delivered = this.deliveryMs.size;
    const spanMs = this.lastAt - this.firstAt;
    const [sent, accepted] = [this.sentAt.size, this.acceptMs.length];
    const refused = Object.values(this.refused).reduce((sum, count) => sum + count, 0);
    return {
      sent,
      accepted,
      refused: this.refused,
      unanswered: sent - accepted - refused,
      delivered,
      repeated: this.repeated,
      accept_ms: percentilesOf(this.acceptMs),
      delivery_ms: percentilesOf([...this.deliveryMs.values()]),
      deliveries_per_second: delivered < 2 || spanMs <= 0 ? null : round(((delivered - 1) * 1_000) / spanMs),
    };
  }
}

/** The values that half and 99 of 100 are not above; null of none. */
export function percentilesOf(values: readonly number[]): Percentiles | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  return { p50: round(nearestRank(sorted, 0.5)), p99: round(nearestRank(sorted, 0.99)) };
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** A measurement as lines. */
export function measurementLines(measured: Measurement): string[] {
  const { sent, accepted, refused, unanswered, delivered, repeated, accept_ms, delivery_ms } = measured;
  const { deliveries_per_second } = measured;
  const reasons = Object.entries(refused).map(([why, count]) => `, ${count} refused (${why})`);
  const unknown = unanswered === 0 ? '' : `, ${unanswered} without an answer`;
  const most = unanswered === 0 ? accepted : `at most ${accepted + unanswered}`;
  return [
    `${accepted} of ${sent} accepted${reasons.join('')}${unknown}`,
    `${delivered} of ${most} delivered${repeated === 0 ? '' : `, ${repeated} of them again`}`,
    ...(accept_ms === null ? [] : [`accepted after ${accept_ms.p50} ms (p50), ${accept_ms.p99} ms (p99)`]),
    ...(delivery_ms === null ? [] : [`at the receiver after ${delivery_ms.p50} ms (p50), ${delivery_ms.p99} ms (p99)`]),
    ...(deliveries_per_second === null ? [] : [`${deliveries_per_second} deliveries a second`]),
  ];
}
