import { asInteger, Setting } from '@form-webhooks/settings';

const ADMIN_KEY_MIN_LENGTH = 24;

/** Who may call the API, and how often. */
export class AccessSettings {
  @Setting({
    env: 'ADMIN_API_KEY',
    meaning: `the first service key, with every scope on every workspace; at least ${ADMIN_KEY_MIN_LENGTH} characters`,
    parse: asAdminKey,
    secret: true,
  })
  readonly adminApiKey: string;

  @Setting({
    env: 'REQUESTS_PER_MINUTE',
    meaning: 'API requests that one key or person may make in a minute, over all replicas',
    default: '1200',
    parse: asInteger(1, 1_000_000),
  })
  readonly requestsPerMinute: number;

  @Setting({
    env: 'FAILED_AUTHENTICATIONS_PER_MINUTE',
    meaning: 'wrong credentials that one address may present in a minute, over all replicas',
    default: '20',
    parse: asInteger(1, 10_000),
  })
  readonly failedAuthenticationsPerMinute: number;
}

function asAdminKey(text: string): string {
  if (text.length < ADMIN_KEY_MIN_LENGTH) throw new RangeError(`shorter than ${ADMIN_KEY_MIN_LENGTH} characters`);
  if (!/^[\x21-\x7e]+$/.test(text)) throw new RangeError('only visible ASCII characters can stand in a header');
  return text;
}
