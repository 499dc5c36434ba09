import { asInteger, Setting, type SettingsCheck } from '@form-webhooks/settings';

/** How many attempts a dispatcher makes at a time. */
export class AdmissionSettings {
  @Setting({
    env: 'DISPATCHER_CONCURRENCY',
    meaning: 'attempts at a time in one dispatcher',
    default: '500',
    parse: asInteger(4, 10_000),
  })
  readonly concurrency: number;

  @Setting({
    env: 'ENDPOINT_MAX_IN_FLIGHT',
    meaning: 'attempts at a time for one endpoint in one dispatcher',
    default: '200',
    parse: asInteger(1, 10_000),
  })
  readonly endpointMaxInFlight: number;

  /** Twice as many: what suspects hold beyond their share must not keep others in their queue. */
  get prefetch(): number {
    return 2 * this.concurrency;
  }

  checks(): readonly SettingsCheck[] {
    return [
      () =>
        this.endpointMaxInFlight > this.concurrency
          ? 'ENDPOINT_MAX_IN_FLIGHT must not exceed DISPATCHER_CONCURRENCY'
          : undefined,
    ];
  }
}
