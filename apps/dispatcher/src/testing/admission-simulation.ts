import {
  DEFAULT_RETRY_SCHEDULE,
  nearestRank,
  nextLongerRung,
  parseRetrySchedule,
  turnRungs,
} from '@form-webhooks/domain';
import {
  AdmissionPolicy,
  type Decided,
  type Defer,
  type Outcome,
  type Start,
} from '../admission/policy/admission-policy.js';
import type { WaitingDelivery } from '../admission/policy/waiting-deliveries.js';
import { BulkLine } from '../first-attempt/bulk-line.js';

/** What a receiver does with an attempt that begins at a time, ms. */
export type SimulatedReceiver = (
  now: number,
  random: () => number,
) => { readonly ms: number; readonly outcome: Outcome };

/** Endpoints that get events, and what they do with them. */
export interface Traffic {
  readonly group: string;
  readonly endpoints: number;
  readonly originOf: (n: number) => string;
  /** Events per second for all of them together. */
  readonly perSecond: number;
  readonly receiver: SimulatedReceiver;
  /** So many come at once, at a time, ms. */
  readonly burst?: { readonly at: number; readonly events: number };
  /** Attempts a second that each of the endpoints may have. */
  readonly rateLimit?: number;
  /** The bulk lane by which all of its events come, if they do. */
  readonly lane?: string;
}

interface Delivery {
  readonly traffic: Traffic;
  readonly n: number;
  readonly acceptedAt: number;
  readonly tries: number;
  readonly due: boolean;
  readonly deferrals: number;
  /** The queue by which it came. */
  readonly queue: string;
}

/** What came of a group's deliveries: when each was delivered, how long it took, and how many were put off. */
export interface GroupResult {
  readonly delivered: { readonly acceptedAt: number; readonly ms: number; readonly deferrals: number }[];
  /** When attempts began. */
  readonly began: number[];
  accepted: number;
  attempts: number;
  deferrals: number;
}

export interface SimulatedDispatcher {
  readonly concurrency: number;
  readonly endpointMaxInFlight: number;
  /** Messages that it can handle per ms: its CPU. */
  readonly messagesPerMs: number;
  /** Whether what comes by a bulk lane is put off as all else, and does not wait for its endpoint's room. */
  readonly putsBulkOff?: boolean;
}

const ATTEMPT_TIMEOUT_MS = 15_000;
const RETRIES_MS = [10_000, 30_000, 90_000, 270_000, 810_000];
const CHECK_EACH_MS = 50;
const TURN_RUNGS_MS = turnRungs(parseRetrySchedule(DEFAULT_RETRY_SCHEDULE));
const TURNS_PER_DUE = 4;
const LANE_PREFETCH = 200;

/** Answers fast: about 13 ms on average, 99 % within 42 ms. */
export const fast: SimulatedReceiver = (_now, random) => ({ ms: 5 - 8 * Math.log(1 - random()), outcome: 'answered' });
export const slow: SimulatedReceiver = () => ({ ms: 2_000, outcome: 'answered' });
export const hanging: SimulatedReceiver = () => ({ ms: ATTEMPT_TIMEOUT_MS, outcome: 'timed out' });
export const refusing: SimulatedReceiver = () => ({ ms: 2, outcome: 'failed' });
/** One receiver until a time, another one from then on. */
export const first =
  (one: SimulatedReceiver, until: number, then: SimulatedReceiver): SimulatedReceiver =>
  (now, random) =>
    now < until ? one(now, random) : then(now, random);

/** A dispatcher with the policy as it is, a queue of new deliveries, one of those that are due again, and receivers. */
export class AdmissionSimulation {
  readonly results = new Map<string, GroupResult>();
  /** The most attempts that were in flight at a time. */
  peakInFlight = 0;
  readonly policy: AdmissionPolicy;
  private readonly events = new Map<number, (() => void)[]>();
  private readonly queues = new Map<string, Delivery[]>([
    ['fresh', []],
    ['due', []],
  ]);
  private readonly unacknowledged = new Map<string, number>();
  private readonly bulk: BulkLine<Delivery>;
  private readonly waiting = new Map<WaitingDelivery, Delivery>();
  private readonly random = randomFrom(1);
  private now = 0;
  private turn = 0;

  constructor(
    private readonly dispatcher: SimulatedDispatcher,
    private readonly traffics: readonly Traffic[],
  ) {
    this.policy = new AdmissionPolicy({ ...dispatcher, attemptTimeoutMs: ATTEMPT_TIMEOUT_MS });
    this.bulk = new BulkLine({ roomOf: (endpointId) => this.policy.roomOf(endpointId, this.now) });
    for (const { group, lane } of traffics) {
      if (lane !== undefined) this.queues.set(lane, []);
      this.results.set(group, { delivered: [], began: [], accepted: 0, attempts: 0, deferrals: 0 });
    }
  }

  /** Goes on until a time, ms. */
  runUntil(end: number): void {
    for (let capacity = 0; this.now < end; this.now++) {
      for (const happen of this.events.get(this.now) ?? []) happen();
      this.events.delete(this.now);
      for (const traffic of this.traffics) this.accept(traffic);
      const isTurn = this.now >= this.policy.nextRateTurnAt;
      if (isTurn || this.now % CHECK_EACH_MS === 0) this.tell(this.policy.advance(this.now));
      if (this.now % CHECK_EACH_MS === 0) this.beginBulk();
      capacity = Math.min(capacity, 1) + this.dispatcher.messagesPerMs;
      while (capacity >= 1 && this.takeOne()) capacity -= 1;
      this.peakInFlight = Math.max(this.peakInFlight, this.policy.inFlight);
    }
  }

  /** The 99th percentile of how long a group's deliveries took that were accepted in a time, ms; Infinity of none. */
  p99(group: string, from: number, until: number): number {
    const { delivered } = this.results.get(group)!;
    const took = delivered.filter(({ acceptedAt }) => acceptedAt >= from && acceptedAt < until).map(({ ms }) => ms);
    if (took.length === 0) return Infinity;
    took.sort((a, b) => a - b);
    return Math.round(nearestRank(took, 0.99));
  }

  private accept(traffic: Traffic): void {
    const expected = traffic.perSecond / 1_000;
    let count = Math.floor(expected);
    if (this.random() < expected - count) count += 1;
    if (traffic.burst?.at === this.now) count += traffic.burst.events;
    for (; count > 0; count--) {
      this.results.get(traffic.group)!.accepted += 1;
      const n = Math.floor(this.random() * traffic.endpoints);
      const queue = traffic.lane ?? 'fresh';
      this.queues.get(queue)!.push({ traffic, n, acceptedAt: this.now, tries: 0, due: false, deferrals: 0, queue });
    }
  }

  private takeOne(): boolean {
    this.turn += 1;
    const lanes = [...this.queues.keys()].slice(2);
    const order = this.turn % TURNS_PER_DUE === 0 ? ['due', ...lanes, 'fresh'] : ['fresh', 'due', ...lanes];
    for (const name of order) {
      const unacknowledged = this.unacknowledged.get(name) ?? 0;
      if (unacknowledged >= (lanes.includes(name) ? LANE_PREFETCH : 2 * this.dispatcher.concurrency)) continue;
      const delivery = this.queues.get(name)!.shift();
      if (delivery === undefined) continue;
      this.unacknowledged.set(name, unacknowledged + 1);
      this.begin(delivery);
      return true;
    }
    return false;
  }

  private begin(delivery: Delivery): void {
    const { queue, traffic, n, due } = delivery;
    if (due || traffic.lane === undefined || this.dispatcher.putsBulkOff) return this.ask(delivery);
    this.bulk.add({ endpointId: `${traffic.group}${n}`, lane: queue, bytes: 1_000 }, delivery, this.now);
    this.beginBulk();
  }

  private beginBulk(): void {
    for (let next = this.bulk.takeNext(this.now); next !== undefined; next = this.bulk.takeNext(this.now)) {
      this.ask(next);
      this.bulk.asked(`${next.traffic.group}${next.n}`);
    }
  }

  private ask(delivery: Delivery): void {
    const { traffic, n, due, deferrals } = delivery;
    const whose = { endpointId: `${traffic.group}${n}`, origin: traffic.originOf(n) };
    const asking = { ...whose, due, deferrals, ratePerSecond: traffic.rateLimit };
    const decision = this.policy.ask(asking, this.now);
    if (decision.kind === 'wait') this.waiting.set(decision.waiting, delivery);
    else this.carryOut(delivery, decision);
  }

  private tell(decided: readonly Decided[]): void {
    for (const { waiting, decision } of decided) {
      const delivery = this.waiting.get(waiting)!;
      this.waiting.delete(waiting);
      this.carryOut(delivery, decision);
    }
  }

  private carryOut(delivery: Delivery, decision: Start | Defer): void {
    if (decision.kind === 'defer') {
      this.results.get(delivery.traffic.group)!.deferrals += 1;
      this.acknowledge(delivery);
      this.comeBack(
        { ...delivery, deferrals: delivery.deferrals + 1 },
        nextLongerRung(TURN_RUNGS_MS, decision.delayMs),
      );
      return;
    }
    const result = this.results.get(delivery.traffic.group)!;
    result.attempts += 1;
    result.began.push(this.now);
    this.policy.begin(decision.attempt, this.now);
    const { ms, outcome } = delivery.traffic.receiver(this.now, this.random);
    this.later(Math.max(1, Math.round(ms)), () => {
      this.tell(this.policy.end(decision.attempt, outcome, this.now));
      this.acknowledge(delivery);
      this.settle(delivery, outcome);
      this.beginBulk();
    });
  }

  private settle(delivery: Delivery, outcome: Outcome): void {
    const { acceptedAt, tries, traffic, deferrals } = delivery;
    if (outcome === 'answered') {
      this.results.get(traffic.group)!.delivered.push({ acceptedAt, ms: this.now - acceptedAt, deferrals });
      return;
    }
    const delay = RETRIES_MS[tries];
    if (delay !== undefined) this.comeBack({ ...delivery, tries: tries + 1, deferrals: 0 }, delay);
  }

  private comeBack(delivery: Delivery, delayMs: number): void {
    this.later(delayMs, () => this.queues.get('due')!.push({ ...delivery, due: true, queue: 'due' }));
  }

  private acknowledge({ queue }: Delivery): void {
    this.unacknowledged.set(queue, this.unacknowledged.get(queue)! - 1);
  }

  private later(ms: number, happen: () => void): void {
    const at = this.now + ms;
    const others = this.events.get(at);
    if (others) others.push(happen);
    else this.events.set(at, [happen]);
  }
}

/** Numbers from 0 to 1, the same ones each time. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
