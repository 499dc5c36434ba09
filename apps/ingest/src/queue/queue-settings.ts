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
    meaning: 'how many messages of form.events are handled at a time, each as large as the broker allows; 1 to 500',
    default: '10',
    parse: asInteger(1, 500),
  })
  readonly formEventsPrefetch: number;

  @Setting({
    env: 'FORM_RATE',
    meaning: 'events a second of one form beyond which the surplus waits behind others, 1 to 100000',
    default: '20',
    parse: asInteger(1, 100_000),
  })
  readonly formRate: number;

  @Setting({
    env: 'FORM_BURST',
    meaning: 'events of one form that may come at once before that, 1 to 1000000',
    default: '200',
    parse: asInteger(1, 1_000_000),
  })
  readonly formBurst: number;
}
