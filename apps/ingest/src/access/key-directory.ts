import type { ApiKeyReference } from '@form-webhooks/domain';
import type { ApiKeyReply, ConfigChange } from '@form-webhooks/messages';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.js';

/** Config's knowledge of keys. */
export abstract class KeySource {
  /** @throws when config can't be asked */
  abstract ask(key: ApiKeyReference): Promise<ApiKeyReply>;
}

export interface KeyDirectoryLimits {
  /** How long an answer counts as fresh, ms. */
  readonly maxAgeMs: number;
  /** How long a key that was good serves on while config is unreachable, ms. */
  readonly graceMs: number;
  /** How long a refusal is remembered, ms. */
  readonly refusalAgeMs: number;
  /** How long config is left alone after it did not answer, ms. */
  readonly pauseMs: number;
}

export type KeyAnswer =
  | { readonly kind: 'known'; readonly scopes: readonly string[] }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unavailable' };

interface Known {
  readonly keyId: string;
  readonly reply: ApiKeyReply;
  /** When config said so. */
  readonly answeredAt: number;
  /** Until when it may be used without asking again; 0 once a notice may have been missed. */
  freshUntil: number;
}

const MAX_KEYS = 10_000;
const MAX_REFUSED = 1_000;

/**
 * What config says of the keys that come along, remembered by their hash. A hash is looked up by equality only: its
 * preimage has 256 random bits, so the time a look-up takes tells nothing that helps to guess one.
 */
export class KeyDirectory {
  private readonly known = new LRUCache<string, Known>({ max: MAX_KEYS });
  private readonly refused = new LRUCache<string, { readonly keyId: string; readonly until: number }>({
    max: MAX_REFUSED,
  });
  private readonly asking = new Map<string, Promise<KeyAnswer>>();
  /** Grows with every notice: an answer that was asked for before one is not remembered after it. */
  private changes = 0;
  private askAgainAt = 0;

  constructor(
    private readonly source: KeySource,
    private readonly limits: KeyDirectoryLimits,
    private readonly clock: Clock,
  ) {}

  /** The answer without asking anyone, if it is at hand. */
  peek(key: ApiKeyReference): KeyAnswer | undefined {
    const now = this.clock.elapsed();
    const refusal = this.refused.get(key.hash);
    if (refusal && refusal.until > now) return { kind: 'unknown' };
    const known = this.known.get(key.hash);
    if (!known || known.freshUntil <= now) return undefined;
    return this.answerOf(known.reply);
  }

  /** True for a key that config called good within the grace: it is no guess. */
  wasGood(key: ApiKeyReference): boolean {
    return this.withoutConfig(key).kind === 'known';
  }

  /** True while config's answer is on its way: whoever looks the key up now asks nothing more. */
  isAskedAbout(key: ApiKeyReference): boolean {
    return this.asking.has(key.hash);
  }

  /** Asks config, once for all who want to know the same key at the same time. */
  lookUp(key: ApiKeyReference): Promise<KeyAnswer> {
    const asked = this.asking.get(key.hash);
    if (asked) return asked;
    if (this.askAgainAt > this.clock.elapsed()) return Promise.resolve(this.withoutConfig(key));
    const asking = this.ask(key).finally(() => {
      if (this.asking.get(key.hash) === asking) this.asking.delete(key.hash);
    });
    this.asking.set(key.hash, asking);
    return asking;
  }

  /** A key was made, changed or revoked: its copy is dropped, also for the time in which config is unreachable. */
  hear(change: ConfigChange): void {
    if (change.kind !== 'api_key') return;
    this.forgetRunning();
    for (const [hash, known] of this.known.entries()) if (known.keyId === change.key_id) this.known.delete(hash);
    for (const [hash, refusal] of this.refused.entries())
      if (refusal.keyId === change.key_id) this.refused.delete(hash);
  }

  /** Notices may have been missed: everything is asked for again, and serves on only if config is unreachable. */
  reset(): void {
    this.forgetRunning();
    this.refused.clear();
    this.askAgainAt = 0;
    for (const known of this.known.values()) known.freshUntil = 0;
  }

  /** Calls on their way began before the change: who comes now asks anew. */
  private forgetRunning(): void {
    this.changes++;
    this.asking.clear();
  }

  private async ask(key: ApiKeyReference): Promise<KeyAnswer> {
    const changesBefore = this.changes;
    let reply: ApiKeyReply;
    try {
      reply = await this.source.ask(key);
    } catch {
      // The source logs why; here it only matters that there is no answer.
      this.askAgainAt = this.clock.elapsed() + this.limits.pauseMs;
      return this.withoutConfig(key);
    }
    if (changesBefore === this.changes) this.remember(key, reply);
    return this.answerOf(reply);
  }

  private remember(key: ApiKeyReference, reply: ApiKeyReply): void {
    const now = this.clock.elapsed();
    if (reply.valid) {
      this.refused.delete(key.hash);
      this.known.set(key.hash, { keyId: key.id, reply, answeredAt: now, freshUntil: now + this.limits.maxAgeMs });
    } else {
      this.known.delete(key.hash);
      this.refused.set(key.hash, { keyId: key.id, until: now + this.limits.refusalAgeMs });
    }
  }

  private withoutConfig(key: ApiKeyReference): KeyAnswer {
    const known = this.known.get(key.hash);
    const now = this.clock.elapsed();
    if (!known || now - known.answeredAt > this.limits.graceMs) return { kind: 'unavailable' };
    return this.answerOf(known.reply);
  }

  /** Whether a key has expired is a matter of the date, not of the time since. */
  private answerOf(reply: ApiKeyReply): KeyAnswer {
    const expired = reply.expires_at !== null && reply.expires_at <= this.clock.now();
    return reply.valid && !expired ? { kind: 'known', scopes: reply.scopes } : { kind: 'unknown' };
  }
}
