import {
  DEFAULT_RETRY_SCHEDULE,
  KeyRing,
  parseRetrySchedule,
  standingRungs,
  type RetrySchedule,
} from '@form-webhooks/domain';
import { asDuration, asInteger, asList, asUrl, Setting } from '@form-webhooks/settings';
import { TokenSettings } from './access/token-settings.js';

const ADMIN_KEY_MIN_LENGTH = 24;

/** What the config service reads from its environment. */
export class ConfigSettings extends TokenSettings {
  @Setting({
    env: 'DATABASE_URL',
    meaning: 'the database, such as postgres://user:password@host:5432/name',
    parse: asUrl('postgres', 'postgresql'),
    secret: true,
  })
  databaseUrl: string;

  @Setting({
    env: 'DATABASE_POOL_SIZE',
    meaning: 'connections to the database at most',
    default: '16',
    parse: asInteger(4, 200),
  })
  databasePoolSize: number;

  @Setting({
    env: 'DATABASE_STATEMENT_TIMEOUT',
    meaning: 'how long one statement may take before the database cancels it',
    default: '30s',
    parse: asDuration(100, 600_000),
  })
  databaseStatementTimeoutMs: number;

  @Setting({
    env: 'SECRET_KEYS',
    meaning: 'the keys that seal signing secrets: id:base64 of 32 bytes, separated by commas, the sealing one first',
    parse: (text) => new KeyRing(text),
    secret: true,
  })
  secretKeys: KeyRing;

  @Setting({
    env: 'ADMIN_API_KEY',
    meaning: `the first service key, with every scope on every workspace; at least ${ADMIN_KEY_MIN_LENGTH} characters`,
    parse: asAdminKey,
    secret: true,
  })
  adminApiKey: string;

  @Setting({
    env: 'CORS_ORIGINS',
    meaning: 'origins whose pages may call the API, separated by commas; none by default',
    default: ',',
    parse: asOrigins,
  })
  corsOrigins: readonly string[];

  @Setting({
    env: 'TRUSTED_PROXIES',
    meaning: 'addresses or CIDRs of proxies whose X-Forwarded-For is believed, separated by commas; none by default',
    default: ',',
    parse: asList,
  })
  trustedProxies: readonly string[];

  @Setting({
    env: 'PUBLIC_SOURCE_ADDRESSES',
    meaning: 'addresses or CIDRs that deliveries come from, as receivers see them, separated by commas',
    default: ',',
    parse: asList,
  })
  publicSourceAddresses: readonly string[];

  @Setting({
    env: 'MAX_ENDPOINTS_PER_FORM',
    meaning: 'endpoints that a form can have at most',
    default: '20',
    parse: asInteger(1, 100),
  })
  maxEndpointsPerForm: number;

  @Setting({
    env: 'MAX_PAGE_SIZE',
    meaning: 'items that a page of a list has at most',
    default: '100',
    parse: asInteger(1, 1_000),
  })
  maxPageSize: number;

  @Setting({
    env: 'TEST_SENDS_PER_MINUTE',
    meaning: 'test sends that a workspace may ask for in a minute',
    default: '10',
    parse: asInteger(1, 10_000),
  })
  testSendsPerMinute: number;

  @Setting({
    env: 'REQUESTS_PER_MINUTE',
    meaning: 'API requests that one key or person may make in a minute, over all replicas',
    default: '1200',
    parse: asInteger(1, 1_000_000),
  })
  requestsPerMinute: number;

  @Setting({
    env: 'FAILED_AUTHENTICATIONS_PER_MINUTE',
    meaning: 'wrong credentials that one address may present in a minute, over all replicas',
    default: '20',
    parse: asInteger(1, 10_000),
  })
  failedAuthenticationsPerMinute: number;

  @Setting({
    env: 'URL_CHECK_TIMEOUT',
    meaning: 'how long a dispatcher may take to check a URL; longer than its attempt timeout',
    default: '18s',
    parse: asDuration(100, 60_000),
  })
  urlCheckTimeoutMs: number;

  @Setting({
    env: 'ANNOUNCE_TIMEOUT',
    meaning: 'how long an answer waits until its change is announced to the other services',
    default: '2s',
    parse: asDuration(0, 10_000),
  })
  announceTimeoutMs: number;

  @Setting({
    env: 'RETRY_SCHEDULE',
    meaning: 'the delays between attempts, as the dispatchers have them: for how long an erasure must be remembered',
    default: DEFAULT_RETRY_SCHEDULE,
    parse: parseRetrySchedule,
  })
  retrySchedule: RetrySchedule;

  @Setting({
    env: 'DELIVERY_MAX_AGE',
    meaning: 'how long after its beginning a delivery may still be attempted, as the dispatchers have it',
    default: '24h',
    parse: asDuration(1_000, 30 * 86_400_000),
  })
  deliveryMaxAgeMs: number;

  /** For how long after its erasure a submission's delivery may still be waiting in a retry queue. */
  get erasureMatterMs(): number {
    return this.deliveryMaxAgeMs + Math.max(...standingRungs(this.retrySchedule));
  }
}

function asAdminKey(text: string): string {
  if (text.length < ADMIN_KEY_MIN_LENGTH) throw new RangeError(`shorter than ${ADMIN_KEY_MIN_LENGTH} characters`);
  if (!/^[\x21-\x7e]+$/.test(text)) throw new RangeError('only visible ASCII characters can stand in a header');
  return text;
}

function asOrigins(text: string): readonly string[] {
  const origins = asList(text);
  for (const origin of origins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new RangeError(`"${origin}" is not an origin such as https://dashboard.example.com`);
    }
  }
  return origins;
}
