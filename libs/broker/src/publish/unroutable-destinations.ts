import { standingTopology, type Destination } from '../topology.js';

/** Longer than its owner takes to declare again what is missing (`TopologyCheck`). */
const HOLDS_FOR_MS = 35_000;

const { queues, singleNodeQueues } = standingTopology();
const STANDING: ReadonlySet<string> = new Set([...queues, ...singleNodeQueues].map(({ name }) => name));
const ON_ONE_NODE: ReadonlySet<string> = new Set(singleNodeQueues.map(({ name }) => name));

/**
 * Where messages came back from although they were taken there before: until one is taken again, or for as long as its
 * owner needs to notice, since whoever got its message back may not send it again. Before a service was started for the
 * first time its queues are not missing. Only what stands for ever counts, which bounds it; an endpoint's retry queue
 * may be gone.
 */
export class UnroutableDestinations {
  private readonly taken = new Set<string>();
  private readonly until = new Map<string, number>();

  /** @param isCluster in which a queue that lives on one node is away with it, and nothing has to go through it */
  constructor(private readonly isCluster: boolean) {}

  get any(): boolean {
    const now = performance.now();
    return [...this.until.values()].some((until) => until > now);
  }

  /** A message came back. @returns whether it is from where one was taken before */
  cameBack(from: Destination): boolean {
    const key = keyOf(from);
    if (!this.taken.has(key)) return false;
    this.until.set(key, performance.now() + HOLDS_FOR_MS);
    return true;
  }

  wasTaken({ exchange, routingKey }: Destination): void {
    if (exchange === '' && !STANDING.has(routingKey)) return;
    if (exchange === '' && this.isCluster && ON_ONE_NODE.has(routingKey)) return;
    const key = keyOf({ exchange, routingKey });
    this.taken.add(key);
    this.until.delete(key);
  }
}

const keyOf = ({ exchange, routingKey }: Destination): string => `${exchange}/${routingKey}`;
