import { standingTopology, type Destination } from '../topology.js';

/** Longer than its owner takes to declare again what is missing (`TopologyCheck`). */
const HOLDS_FOR_MS = 35_000;

const { queues, singleNodeQueues } = standingTopology();
const STANDING: ReadonlySet<string> = new Set([...queues, ...singleNodeQueues].map(({ name }) => name));
const ON_ONE_NODE: ReadonlySet<string> = new Set(singleNodeQueues.map(({ name }) => name));

/** So many came back from where none was ever taken: whoever owns it was not started yet, or it is gone since. */
const MANY = 3;

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

  wasTaken(by: Destination): void {
    if (!this.stands(by)) return;
    const key = keyOf(by);
    this.inVain.set(key, null);
    this.until.delete(key);
  }

  private stands({ exchange, routingKey }: Destination): boolean {
    if (exchange !== '') return true;
    return STANDING.has(routingKey) && !(this.isCluster && ON_ONE_NODE.has(routingKey));
  }
}

const keyOf = ({ exchange, routingKey }: Destination): string => `${exchange}/${routingKey}`;
