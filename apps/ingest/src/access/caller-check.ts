import { hashApiKey, parseApiKey, type ApiKeyReference } from '@form-webhooks/domain';
import { bearerCredential, networkOf } from '@form-webhooks/http-edge';
import type { KeyAnswer, KeyDirectory } from './key-directory.js';
import type { TokenBuckets } from './token-buckets.js';

export type CallerVerdict =
  | { readonly kind: 'admitted'; readonly keyId: string }
  | { readonly kind: 'unauthenticated'; readonly why: string }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'throttled'; readonly waitMs: number; readonly why: 'key' | 'address' }
  | { readonly kind: 'unavailable' };

const SCOPE = 'events:write';
const MAX_KEY_LENGTH = 512;
/** The first admin key comes from the environment in free form, under an id of its own. */
const ADMIN_KEY_ID = 'admin';
const MIN_FREE_FORM_LENGTH = 24;
const OUR_KEYS = 'fwk_';

/** Decides whether a caller may send events, before a byte of the body is read. */
export class CallerCheck {
  constructor(
    private readonly keys: KeyDirectory,
    private readonly eventsPerKey: TokenBuckets,
    private readonly failuresPerNetwork: TokenBuckets,
  ) {}

  async check(authorization: string | undefined, address: string): Promise<CallerVerdict> {
    const network = networkOf(address);
    if (authorization === undefined) return this.fail(network, 'send the key as "Authorization: Bearer <key>"');
    const key = referenceOf(bearerCredential(authorization, { maxLength: MAX_KEY_LENGTH }));
    if (!key) return this.fail(network, 'the Authorization header holds no key of this service');
    const answer = this.keys.peek(key);
    if (answer?.kind === 'known') return this.admit(key, answer);
    // A key that is known to be good gets through also from an address that guesses keys.
    const waitMs = this.keys.wasGood(key) ? 0 : this.failuresPerNetwork.wait(network);
    if (waitMs > 0) return { kind: 'throttled', waitMs, why: 'address' };
    return this.judge(key, answer ?? (await this.keys.lookUp(key)), network);
  }

  private judge(key: ApiKeyReference, answer: KeyAnswer, network: string): CallerVerdict {
    if (answer.kind === 'known') return this.admit(key, answer);
    if (answer.kind === 'unavailable') return { kind: 'unavailable' };
    return this.fail(network, 'the key is not known, or has expired or been revoked');
  }

  private admit(key: ApiKeyReference, { scopes }: { readonly scopes: readonly string[] }): CallerVerdict {
    if (!scopes.includes(SCOPE)) return { kind: 'forbidden' };
    const waitMs = this.eventsPerKey.take(key.hash);
    if (waitMs > 0) return { kind: 'throttled', waitMs, why: 'key' };
    return { kind: 'admitted', keyId: key.id };
  }

  private fail(network: string, why: string): CallerVerdict {
    const waitMs = this.failuresPerNetwork.take(network);
    return waitMs > 0 ? { kind: 'throttled', waitMs, why: 'address' } : { kind: 'unauthenticated', why };
  }
}

/** What config can be asked about a text; undefined for what can't be a key. */
function referenceOf(text: string | undefined): ApiKeyReference | undefined {
  if (text === undefined) return undefined;
  const ours = parseApiKey(text);
  if (ours) return ours;
  if (text.startsWith(OUR_KEYS) || text.length < MIN_FREE_FORM_LENGTH) return undefined;
  return { id: ADMIN_KEY_ID, hash: hashApiKey(text) };
}
