import { asInteger, Setting } from '@form-webhooks/settings';

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
    env: 'TEST_SENDS_PER_MINUTE',
    meaning: 'test sends that a workspace may ask for in a minute',
    default: '10',
    parse: asInteger(1, 10_000),
  })
  readonly testSendsPerMinute: number;
}
