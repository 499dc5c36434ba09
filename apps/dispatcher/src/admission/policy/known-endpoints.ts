import { Endpoint, Origin } from './endpoint.js';

/** How many endpoints are remembered, and how many origins; what is in use is bounded by the slots and the waits. */
const MAX_REMEMBERED = 20_000;

/** Things by name, of which those that are idle for longest are forgotten first. */
class LeastIdle<T> {
  private readonly all = new Map<string, T>();
  private readonly idle = new Set<string>();

  constructor(private readonly max: number) {}

  get size(): number {
    return this.all.size;
  }

  /** From now on it is not idle. */
  use(name: string): T | undefined {
    this.idle.delete(name);
    return this.all.get(name);
  }

  peek(name: string): T | undefined {
    return this.all.get(name);
  }

  add(name: string, one: T): T {
    if (!this.all.has(name) && this.all.size >= this.max) this.forgetOne();
    this.all.set(name, one);
    return one;
  }

  rest(name: string): void {
    this.idle.delete(name);
    if (this.all.has(name)) this.idle.add(name);
  }

  private forgetOne(): void {
    for (const name of this.idle) {
      this.idle.delete(name);
      this.all.delete(name);
      return;
    }
  }
}

/** What is known of endpoints and origins. */
export class KnownEndpoints {
  private readonly endpoints: LeastIdle<Endpoint>;
  private readonly origins: LeastIdle<Origin>;

  constructor(
    private readonly endpointMaxInFlight: number,
    max = MAX_REMEMBERED,
  ) {
    this.endpoints = new LeastIdle(max);
    this.origins = new LeastIdle(max);
  }

  get size(): number {
    return this.endpoints.size;
  }

  /** The endpoint, until `rest` is told that it is idle. One whose origin has changed is another receiver. */
  use(id: string, originName: string): Endpoint {
    const origin = this.origins.use(originName) ?? this.origins.add(originName, new Origin(originName));
    const known = this.endpoints.use(id);
    if (known?.origin.name !== originName) {
      return this.endpoints.add(id, new Endpoint(id, origin, this.endpointMaxInFlight));
    }
    if (known.isIdle) known.origin = origin;
    return known;
  }

  /** Without using it. */
  peek(id: string): Endpoint | undefined {
    return this.endpoints.peek(id);
  }

  rest(endpoint: Endpoint): void {
    if (endpoint.isIdle && this.isCurrent(endpoint)) this.endpoints.rest(endpoint.id);
    if (endpoint.origin.inFlight === 0) this.origins.rest(endpoint.origin.name);
  }

  private isCurrent(endpoint: Endpoint): boolean {
    return this.endpoints.peek(endpoint.id) === endpoint;
  }
}
