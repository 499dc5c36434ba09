import { createRemoteJWKSet, customFetch, type FetchImplementation, type JWTVerifyGetKey } from 'jose';

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
export function remoteKeys(url: string): JWTVerifyGetKey {
  let failedAt = -Infinity;
  const fetchKeys: FetchImplementation = async (address, options) => {
    // jose counts its cooldown from the last success: without this a host that is down would be asked by each request.
    if (performance.now() - failedAt < COOLDOWN_MS) throw new KeysUnavailable('the keys could not be fetched just now');
    try {
      const response = await fetch(address, options);
      const body = await readAtMost(response, MAX_BYTES);
      if (response.status !== 200) throw new Error(`the key server answered ${response.status}`);
      return new Response(body, { status: 200, headers: { 'content-type': 'application/json' } });
    } catch (error) {
      failedAt = performance.now();
      throw new KeysUnavailable((error as Error).message);
    }
  };
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: CACHE_MS,
    [customFetch]: fetchKeys,
  });
}

async function readAtMost(response: Response, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += (chunk as Uint8Array).length;
    if (bytes > maxBytes) throw new Error(`the keys are larger than ${maxBytes} bytes`);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks);
}
