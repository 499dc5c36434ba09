import { asInteger, Setting } from '@form-webhooks/settings';

/** What is taken for an event, at both doors. */
export class EventSettings {
  @Setting({
    env: 'EVENT_MAX_BYTES',
    meaning: 'how large an event may be, in bytes',
    default: '1048576',
    parse: asInteger(1_024, 1_048_576),
  })
  readonly maxBytes: number;
}
