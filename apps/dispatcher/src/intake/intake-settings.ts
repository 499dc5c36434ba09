import { asInteger, Setting } from '@form-webhooks/settings';

/** How much a dispatcher takes in hand. */
export class IntakeSettings {
  @Setting({
    env: 'HELD_BYTES_MAX',
    meaning: 'message bytes that a dispatcher holds before it takes no more, until below 80 % of it',
    default: '67108864',
    parse: asInteger(4 * 1024 * 1024, 2 ** 32),
  })
  readonly heldBytesMax: number;
}
