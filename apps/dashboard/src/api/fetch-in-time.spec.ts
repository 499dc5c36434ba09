import { describe, expect, it } from 'vitest';
import { fetchWithin } from './fetch-in-time.js';

const request = (signal?: AbortSignal): Request => new Request('http://127.0.0.1/', { ...(signal && { signal }) });

/** A service that takes the call and never answers. */
const silent: typeof fetch = (_asked, init) =>
  new Promise((_, reject) => {
    init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error));
  });

describe('a call of the service', () => {
  it('ends by itself if no answer ever comes', async () => {
    await expect(fetchWithin(10, silent)(request())).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('ends at once if nobody wants the answer any more', async () => {
    const unwanted = new AbortController();
    const call = fetchWithin(60_000, silent)(request(unwanted.signal));
    unwanted.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('gives the answer that comes in time', async () => {
    const answer = new Response('{}');
    expect(await fetchWithin(60_000, () => Promise.resolve(answer))(request())).toBe(answer);
  });
});
