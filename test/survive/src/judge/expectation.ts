import type { Endpoint, Load, LoadEvent } from '../load/load.js';

export interface ExpectedDelivery {
  readonly marker: number;
  readonly endpoint: Endpoint;
  /** POSTs that were answered, with whatever status. */
  answered: number;
  /** POSTs that were answered with a 2xx. */
  answered2xx: number;
  /** When the first POST had arrived, ms since the epoch; Infinity without one. */
  firstAt: number;
  /** When the last answered POST had arrived, ms since the epoch. */
  lastAt: number;
  logged: boolean;
}

/** Exactly the deliveries that the accepted events must lead to: so many of the load, and others. */
export function expectedDeliveries(
  load: Load,
  events: number,
  others: readonly LoadEvent[],
): Map<string, ExpectedDelivery> {
  const expected = new Map<string, ExpectedDelivery>();
  const seen = { answered: 0, answered2xx: 0, firstAt: Infinity, lastAt: 0, logged: false };
  const expect = (event: LoadEvent): void => {
    for (const { deliveryId, endpoint } of load.deliveriesOf(event)) {
      expected.set(deliveryId, { marker: event.marker, endpoint, ...seen });
    }
  };
  for (let marker = 0; marker < events; marker += 1) expect(load.event(marker));
  for (const event of others) expect(event);
  return expected;
}
