import type { AddressPolicy } from '@form-webhooks/domain';
import { createRemoteJWKSet, customFetch, type FetchImplementation, type JWTVerifyGetKey } from 'jose';
import { guardedFetch } from './guarded-fetch.js';

const TIMEOUT_MS = 5_000;
/** A token with an unknown key id makes us look again, but not oftener than this. */
const COOLDOWN_MS = 30_000;
const CACHE_MS = 600_000;
const MAX_BYTES = 256 * 1024;

/** The identity provider's keys can't be had now: it is not the token's fault. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

/** The identity provider's keys, fetched from the one configured place and kept for ten minutes. */
export function remoteKeys(url: string, policy: AddressPolicy): JWTVerifyGetKey {
  const at = new URL(url);
  let failedAt = -Infinity;
  const fetchKeys: FetchImplementation = async () => {
    // jose counts its cooldown from the last success: without this a host that is down would be asked by each request.
    if (performance.now() - failedAt < COOLDOWN_MS) throw new KeysUnavailable('the keys could not be fetched just now');
    try {
      const body = await guardedFetch(at, policy, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
      return new Response(new Uint8Array(body), { status: 200, headers: { 'content-type': 'application/json' } });
    } catch (error) {
      failedAt = performance.now();
      throw new KeysUnavailable((error as Error).message);
    }
  };
  return createRemoteJWKSet(at, {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: CACHE_MS,
    [customFetch]: fetchKeys,
  });
}
