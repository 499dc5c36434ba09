import { asDuration, asInteger, Setting } from '@form-webhooks/settings';

/** What forms may do with their endpoints. */
export class EndpointSettings {
  @Setting({
    env: 'MAX_ENDPOINTS_PER_FORM',
    meaning: 'endpoints that a form can have at most',
    default: '20',
    parse: asInteger(1, 100),
  })
  readonly maxPerForm: number;

  @Setting({
    env: 'ENDPOINT_RETRIES_MAX',
    meaning: "delays that an endpoint's own retry_schedule can have at most",
    default: '12',
    parse: asInteger(1, 32),
  })
  readonly maxRetries: number;

  @Setting({
    env: 'ENDPOINT_RETRY_DELAY_MAX',
    meaning: "the longest delay of an endpoint's own retry_schedule; at most the longest of RETRY_SCHEDULE, or 3h",
    default: '3h',
    parse: asDuration(1_000, 7 * 86_400_000),
  })
  readonly maxRetryDelayMs: number;

  @Setting({
    env: 'TEST_SENDS_PER_MINUTE',
    meaning: 'test sends that a workspace may ask for in a minute',
    default: '10',
    parse: asInteger(1, 10_000),
  })
  readonly testSendsPerMinute: number;
}
