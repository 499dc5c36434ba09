import { asInteger, Setting } from '@form-webhooks/settings';
import { asAdminKey } from './admin-key-strength.js';

/** Who may call the API, and how often. */
export class AccessSettings {
  @Setting({
    env: 'ADMIN_API_KEY',
    meaning: 'the first service key, with every scope on every workspace; at least 24 characters, hard to guess',
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
    env: 'WORKSPACE_REQUESTS_PER_MINUTE',
    meaning: 'API requests that all keys and persons of a workspace together may make in a minute, over all replicas',
    default: '6000',
    parse: asInteger(1, 1_000_000),
  })
  readonly workspaceRequestsPerMinute: number;

  @Setting({
    env: 'FAILED_AUTHENTICATIONS_PER_MINUTE',
    meaning: 'wrong credentials that one address may present in a minute, over all replicas',
    default: '20',
    parse: asInteger(1, 10_000),
  })
  readonly failedAuthenticationsPerMinute: number;
}
