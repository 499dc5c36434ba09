import { asInteger, Setting } from '@form-webhooks/settings';

/**
 * What bulk lanes and large bodies wait with, 16 and 20 MiB, must leave room for all others: with less, what waits for one
 * slow receiver would stop everything for as long as it waits.
 */
const LEAST_BYTES = 64 * 1024 * 1024;

/** How much a dispatcher takes in hand. */
export class IntakeSettings {
  @Setting({
    env: 'HELD_BYTES_MAX',
    meaning: 'message bytes that a dispatcher holds before it takes no more, until below 80 % of it; 64 MiB or more',
    default: String(LEAST_BYTES),
    parse: asInteger(LEAST_BYTES, 2 ** 32),
  })
  readonly heldBytesMax: number;
}
