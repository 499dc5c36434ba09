import { hashApiKey, parseApiKey, type ApiKeyReference } from '@form-webhooks/domain';
import { bearerCredential, Holding, networkOf } from '@form-webhooks/http-edge';
import type { FailureBudget } from './failure-budget.js';
import type { KeyAnswer, KeyDirectory } from './key-directory.js';
import type { TokenBuckets } from './token-buckets.js';

export type CallerVerdict =
  | { readonly kind: 'admitted'; readonly keyId: string }
  | { readonly kind: 'unauthenticated'; readonly why: string }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'throttled'; readonly waitMs: number; readonly why: 'key' | 'address' }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'busy' };

const SCOPE = 'events:write';
const MAX_KEY_LENGTH = 512;
/** The first admin key comes from the environment in free form, under an id of its own. */
const ADMIN_KEY_ID = 'admin';
const MIN_FREE_FORM_LENGTH = 24;
const OUR_KEYS = 'fwk_';
/** How many requests wait at a time for what config says of their keys, and how many of these with keys never seen. */
const MAX_CHECKS = 5_000;
const MAX_CHECKS_OF_STRANGERS = 1_000;

const UNKNOWN_KEY = 'the key is not known, or has expired or been revoked';

/** Decides whether a caller may send events, before a byte of the body is read. */
export class CallerCheck {
  /** Requests that wait for what config says; each ends with its question, which has a time limit. */
  readonly underWay = new Holding(MAX_CHECKS);

  constructor(
    private readonly keys: KeyDirectory,
    private readonly eventsPerKey: TokenBuckets,
    private readonly failures: FailureBudget,
  ) {}

  async check(authorization: string | undefined, address: string): Promise<CallerVerdict> {
    const network = networkOf(address);
    if (authorization === undefined) return this.fail(network, 'send the key as "Authorization: Bearer <key>"');
    const key = referenceOf(bearerCredential(authorization, { maxLength: MAX_KEY_LENGTH }));
    if (!key) return this.fail(network, 'the Authorization header holds no key of this service');
    const answer = this.keys.peek(key);
    if (answer) return this.judge(key, answer, () => this.fail(network, UNKNOWN_KEY));
    const wasGood = this.keys.wasGood(key);
    // A key that is known to be good gets through also from an address that guesses keys. Who waits for the answer to a
    // question that was asked already costs config nothing.
    if (wasGood || this.keys.isAskedAbout(key)) {
      return this.ask(key, wasGood, () => this.fail(network, UNKNOWN_KEY));
    }
    return this.askAboutStranger(key, network);
  }

  /** What is taken for the question is given back unless the key is wrong. */
  private async askAboutStranger(key: ApiKeyReference, network: string): Promise<CallerVerdict> {
    const permit = this.failures.permit(network, key.hash);
    if (permit.kind === 'refused') return { kind: 'throttled', waitMs: permit.waitMs, why: 'address' };
    let failed = false;
    const verdict = await this.ask(key, false, () => {
      failed = true;
      return { kind: 'unauthenticated', why: UNKNOWN_KEY };
    });
    if (!failed) permit.giveBack();
    return verdict;
  }

  private async ask(key: ApiKeyReference, wasGood: boolean, unknown: () => CallerVerdict): Promise<CallerVerdict> {
    const isRoom = wasGood || this.underWay.held < MAX_CHECKS_OF_STRANGERS;
    const place = isRoom ? this.underWay.take() : undefined;
    if (!place) return { kind: 'busy' };
    try {
      return this.judge(key, await this.keys.lookUp(key), unknown);
    } finally {
      place.end();
    }
  }

  private judge(key: ApiKeyReference, answer: KeyAnswer, unknown: () => CallerVerdict): CallerVerdict {
    if (answer.kind === 'known') return this.admit(key, answer);
    return answer.kind === 'unavailable' ? { kind: 'unavailable' } : unknown();
  }

  private admit(key: ApiKeyReference, { scopes }: { readonly scopes: readonly string[] }): CallerVerdict {
    if (!scopes.includes(SCOPE)) return { kind: 'forbidden' };
    const waitMs = this.eventsPerKey.take(key.hash);
    if (waitMs > 0) return { kind: 'throttled', waitMs, why: 'key' };
    return { kind: 'admitted', keyId: key.id };
  }

  private fail(network: string, why: string): CallerVerdict {
    const waitMs = this.failures.fail(network);
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
