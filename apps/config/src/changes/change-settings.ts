import { asDuration, Setting } from '@form-webhooks/settings';

/** How a change reaches the other services. */
export class ChangeSettings {
  @Setting({
    env: 'ANNOUNCE_TIMEOUT',
    meaning: 'how long an answer waits until its change is announced to the other services',
    default: '2s',
    parse: asDuration(0, 10_000),
  })
  readonly announceTimeoutMs: number;
}
