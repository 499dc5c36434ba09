import type { IncomingMessage, ServerResponse } from 'node:http';
import { Holding, Lease, whenOver } from '@form-webhooks/http-edge';

export interface CapacityLimits {
  readonly requests: number;
  readonly bytes: number;
  /** How long one request may hold its share, ms; then its connection is cut. */
  readonly holdMs: number;
}

/**
 * How much may be in flight at a time, so that a flood of slow or large requests can't fill the memory. What a request
 * takes goes back when it is over, whatever ends it, and when nothing handles its body any more.
 */
export class Capacity {
  readonly requests: Holding;
  readonly bytes: Holding;
  private readonly leases = new WeakMap<IncomingMessage, Lease>();

  constructor(private readonly limits: CapacityLimits) {
    this.requests = new Holding(limits.requests);
    this.bytes = new Holding(limits.bytes);
  }

  /** Takes a place and room for the body. False if there is none: nothing is held then. */
  enter(response: ServerResponse, bytes: number): boolean {
    const place = this.requests.take();
    const room = place && this.bytes.take(bytes);
    if (!place || !room) {
      place?.end();
      return false;
    }
    const { req } = response;
    // A caller that doesn't read its answer keeps the request from being over.
    const cut = setTimeout(() => req.socket.destroy(), this.limits.holdMs);
    const lease = new Lease(() => {
      clearTimeout(cut);
      place.end();
      room.end();
    });
    this.leases.set(req, lease);
    whenOver(response, () => lease.end());
    return true;
  }

  /** Handles the request; its share is held at least until then: its body is in memory, also if the caller has gone. */
  async during<T>(request: IncomingMessage, work: () => Promise<T>): Promise<T> {
    const lease = this.leases.get(request);
    return lease ? lease.during(work) : work();
  }
}
