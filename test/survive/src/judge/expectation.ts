import { FIRST_CANARY } from '../load/canary.js';
import type { Endpoint, Form, Load } from '../load/load.js';

export interface ExpectedDelivery {
  readonly marker: number;
  readonly endpoint: Endpoint;
  /** POSTs that were answered, with whatever status. */
  answered: number;
  /** POSTs that were answered with a 2xx. */
  answered2xx: number;
  /** When the last answered POST had arrived, ms since the epoch. */
  lastAt: number;
  logged: boolean;
}

/** Exactly the deliveries that the accepted events must lead to. */
export function expectedDeliveries(
  load: Load,
  events: number,
  canaries: { readonly count: number; readonly form: Form },
): Map<string, ExpectedDelivery> {
  const expected = new Map<string, ExpectedDelivery>();
  const expect = (marker: number, form?: Form): void => {
    for (const { deliveryId, endpoint } of load.deliveriesOf(load.event(marker, form))) {
      expected.set(deliveryId, { marker, endpoint, answered: 0, answered2xx: 0, lastAt: 0, logged: false });
    }
  };
  for (let marker = 0; marker < events; marker += 1) expect(marker);
  for (let n = 0; n < canaries.count; n += 1) expect(FIRST_CANARY + n, canaries.form);
  return expected;
}
