import { LRUCache } from 'lru-cache';

/** How long an opened secret stays in memory, whoever uses it. */
export const OPENED_SECRET_MS = 60_000;
const MAX_OPENED = 10_000;

/** A part of config's answer that is sealed: a signing secret, or the value of a header. */
export interface Sealed {
  readonly sealed: string;
}

/**
 * Opened secrets, so that an endpoint's next attempts need not open its own again. Each is gone after a minute and is
 * opened again then: an answer of config serves on for as long as config is away, and a memory dump should not show what
 * was used hours ago.
 */
export class OpenedSecrets {
  private readonly opened = new LRUCache<Sealed, string>({
    max: MAX_OPENED,
    ttl: OPENED_SECRET_MS,
    ttlAutopurge: true,
    perf: { now: () => performance.now() },
  });

  get size(): number {
    return this.opened.size;
  }

  /** The secret's text, opened unless it is known. Throws what `open` throws. */
  textOf(secret: Sealed, open: () => string): string {
    const known = this.opened.get(secret);
    if (known !== undefined) return known;
    const text = open();
    this.opened.set(secret, text);
    return text;
  }
}
