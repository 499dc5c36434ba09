import { asDuration, Setting } from '@form-webhooks/settings';

/** How often erasures that were interrupted are looked for. */
export class ErasureSettings {
  @Setting({
    env: 'ERASURE_INTERVAL',
    meaning:
      'how long after one look for erasures that were interrupted, and for copies of erased data that were parked since, ' +
      'the next one begins',
    default: '30s',
    parse: asDuration(100, 86_400_000),
  })
  readonly intervalMs: number;
}
