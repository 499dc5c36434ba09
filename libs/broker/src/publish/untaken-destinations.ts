import type { Destination } from '../destinations.js';
import { standingTopology } from '../topology.js';

/** Longer than its owner takes to declare again what is missing (`TopologyCheck`). */
const HOLDS_FOR_MS = 35_000;

const { queues, singleNodeQueues } = standingTopology();
const STANDING: ReadonlySet<string> = new Set([...queues, ...singleNodeQueues].map(({ name }) => name));
const ON_ONE_NODE: ReadonlySet<string> = new Set(singleNodeQueues.map(({ name }) => name));

/** So many came back from where none was ever taken: whoever owns it was not started yet, or it is gone since. */
const MANY = 3;

/** Longer than a queue of a cluster needs for another leader. */
const REFUSES_FOR_MS = 3_000;
/** Another channel helps once; one that is made again and again would only hold up all else. */
const DOUBT_EVERY_MS = 30_000;

interface Refusals {
  readonly since: number;
  readonly count: number;
}

/**
 * Where messages came back or were not confirmed in time: until one is taken again, or for as long as its owner needs to
 * notice, since whoever got its message back may not send it again. One that comes back from where none was taken yet
 * does not count: a service may be started before the one whose queue it is. Only what stands for ever counts, which
 * bounds it; an endpoint's retry queue may be gone.
 */
export class UntakenDestinations {
  /** Null once one was taken; before, how many were not. */
  private readonly inVain = new Map<string, number | null>();
  private readonly until = new Map<string, number>();
  /** Since one was taken. */
  private readonly refusals = new Map<string, Refusals>();
  private doubtedAt = -Infinity;

  /** @param isCluster in which a queue that lives on one node is away with it, and nothing has to go through it */
  constructor(private readonly isCluster: boolean) {}

  get any(): boolean {
    const now = performance.now();
    return [...this.until.values()].some((until) => until > now);
  }

  /** A message was not taken. @returns whether it counts */
  wasNotTaken(by: Destination): boolean {
    if (!this.stands(by)) return false;
    const key = keyOf(by);
    const before = this.inVain.get(key);
    if (before !== null) {
      this.inVain.set(key, (before ?? 0) + 1);
      if ((before ?? 0) + 1 < MANY) return false;
    }
    this.until.set(key, performance.now() + HOLDS_FOR_MS);
    return true;
  }

  /**
   * The broker answered that no queue took it, as it does while that gets another leader. It goes on for ever on a channel
   * whose first message came in just that moment: the channel has kept the leader that is away [trap 21].
   * @returns whether the channel is to be doubted
   */
  wasRefused(by: Destination): boolean {
    if (!this.stands(by)) return false;
    const key = keyOf(by);
    const now = performance.now();
    const { since, count } = this.refusals.get(key) ?? { since: now, count: 0 };
    this.refusals.set(key, { since, count: count + 1 });
    if (count + 1 < MANY || now - since < REFUSES_FOR_MS) return false;
    this.until.set(key, now + HOLDS_FOR_MS);
    if (now - this.doubtedAt < DOUBT_EVERY_MS) return false;
    this.doubtedAt = now;
    return true;
  }

  wasTaken(by: Destination): void {
    if (!this.stands(by)) return;
    const key = keyOf(by);
    this.refusals.delete(key);
    this.inVain.set(key, null);
    this.until.delete(key);
  }

  private stands({ exchange, routingKey }: Destination): boolean {
    if (exchange !== '') return true;
    return STANDING.has(routingKey) && !(this.isCluster && ON_ONE_NODE.has(routingKey));
  }
}

const keyOf = ({ exchange, routingKey }: Destination): string => `${exchange}/${routingKey}`;
