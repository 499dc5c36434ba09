import { asDuration, asInteger, Setting } from '@form-webhooks/settings';

/** How events come from the broker and go to it. */
export class QueueSettings {
  @Setting({
    env: 'CONFIRM_TIMEOUT',
    meaning: "how long the broker's confirm of an event is waited for, 100ms to 60s",
    default: '5s',
    parse: asDuration(100, 60_000),
  })
  readonly confirmTimeoutMs: number;

  @Setting({
    env: 'FORM_EVENTS_PREFETCH',
    meaning: 'how many messages of form.events are handled at a time, 1 to 500',
    default: '50',
    parse: asInteger(1, 500),
  })
  readonly formEventsPrefetch: number;
}
