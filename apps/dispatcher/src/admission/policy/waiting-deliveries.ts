import type { Endpoint } from './endpoint.js';

/** Of so many turns one is for what has waited on a delay, when both wait. */
const TURNS_PER_DUE = 4;

/** What a delivery waits for: its endpoint's own limit, the highest rate that its owner wants, or the total. */
export type WaitsFor = 'own limit' | 'rate' | 'total';

/** A delivery that waits in memory for its attempt. */
export interface WaitingDelivery {
  readonly endpoint: Endpoint;
  /** It has waited on a delay before: a retry, or a deferral. */
  readonly due: boolean;
  /** How often this try was put off before. */
  readonly deferrals: number;
  /** When it is deferred at the latest. */
  readonly until: number;
  readonly waitsFor: WaitsFor;
}

/** Deliveries by endpoint; endpoints take turns, each in the order of arrival. */
class Line {
  private readonly byEndpoint = new Map<Endpoint, WaitingDelivery[]>();

  add(one: WaitingDelivery): void {
    const others = this.byEndpoint.get(one.endpoint);
    if (others === undefined) this.byEndpoint.set(one.endpoint, [one]);
    else insert(others, one);
  }

  /** Of the endpoint that had its turn longest ago and may start. */
  next(mayStart: (endpoint: Endpoint) => boolean): WaitingDelivery | undefined {
    for (const [endpoint, [first]] of this.byEndpoint) {
      if (mayStart(endpoint)) return first;
    }
    return undefined;
  }

  /** Its endpoint goes to the end of the line. */
  remove(one: WaitingDelivery): void {
    const { endpoint } = one;
    const others = this.byEndpoint.get(endpoint)!.filter((other) => other !== one);
    this.byEndpoint.delete(endpoint);
    if (others.length > 0) this.byEndpoint.set(endpoint, others);
  }
}

/** Those that were put off more often come first; among equals the first one. */
function insert(others: WaitingDelivery[], one: WaitingDelivery): void {
  const behind = others.findIndex((other) => other.deferrals < one.deferrals);
  if (behind < 0) others.push(one);
  else others.splice(behind, 0, one);
}

/** The deliveries that wait in memory: new ones before those that are due again, which get one turn in four. */
export class WaitingDeliveries {
  private readonly all = new Set<WaitingDelivery>();
  private readonly fresh = new Line();
  private readonly due = new Line();
  private readonly counts = { 'own limit': 0, rate: 0, total: 0 };
  private turn = 0;

  get size(): number {
    return this.all.size;
  }

  count(waitsFor: WaitsFor): number {
    return this.counts[waitsFor];
  }

  add(one: WaitingDelivery): void {
    this.all.add(one);
    this.lineOf(one).add(one);
    one.endpoint.waitingFor[one.waitsFor] += 1;
    this.counts[one.waitsFor] += 1;
  }

  remove(one: WaitingDelivery): void {
    this.all.delete(one);
    this.lineOf(one).remove(one);
    one.endpoint.waitingFor[one.waitsFor] -= 1;
    this.counts[one.waitsFor] -= 1;
  }

  /** Takes out the one whose turn it is. */
  takeNext(mayStart: (endpoint: Endpoint) => boolean): WaitingDelivery | undefined {
    if (this.all.size === 0) return undefined;
    const lines = this.turn % TURNS_PER_DUE === TURNS_PER_DUE - 1 ? [this.due, this.fresh] : [this.fresh, this.due];
    const next = lines[0]!.next(mayStart) ?? lines[1]!.next(mayStart);
    if (next === undefined) return undefined;
    this.turn += 1;
    this.remove(next);
    return next;
  }

  /** Takes out those that have waited for as long as they may. */
  takeOverdue(now: number): WaitingDelivery[] {
    const overdue = [...this.all].filter(({ until }) => until <= now);
    for (const one of overdue) this.remove(one);
    return overdue;
  }

  private lineOf({ due }: WaitingDelivery): Line {
    return due ? this.due : this.fresh;
  }
}
