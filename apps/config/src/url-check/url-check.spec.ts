import type { Broker } from '@form-webhooks/broker';
import type { CheckUrlReply } from '@form-webhooks/messages';
import { describe, expect, it } from 'vitest';
import type { RateLimiter } from '../rate-limits/rate-limiter.js';
import type { UrlCheckSettings } from './url-check-settings.js';
import { UrlCheck } from './url-check.js';

const SETTINGS: UrlCheckSettings = { timeoutMs: 1_000, perMinute: 30, atATime: 2 };

function checkWith(ask: (url: string) => Promise<CheckUrlReply>, waitSeconds: (bucket: string) => number = () => 0) {
  const rpc = { call: (_queue: string, _method: string, { url }: { url: string }) => ask(url) };
  const limiter = { take: (bucket: string) => Promise.resolve(waitSeconds(bucket)) };
  const check = new UrlCheck({ rpc } as unknown as Broker, limiter as unknown as RateLimiter, SETTINGS);
  return (url: string, workspaceId = 'ws_1', calledAs?: string) => check.check(url, { workspaceId, calledAs });
}

const responds = checkWith(() => Promise.resolve({ ok: true, status: 204 }));

describe('checking a URL', () => {
  it('of a workspace whose URLs never answer holds up no other workspace', async () => {
    let release = (): void => undefined;
    const never = new Promise<CheckUrlReply>((resolve) => (release = () => resolve({ ok: true, status: 200 })));
    const check = checkWith((url) => (url.includes('hole') ? never : Promise.resolve({ ok: true, status: 204 })));
    const holes = Array.from({ length: 200 }, () => check('https://hole.example/', 'ws_noisy'));
    const outcomes = Promise.allSettled(holes);
    expect(await check('https://a.example/', 'ws_quiet')).toBe('https://a.example/');
    release();
    const refused = (await outcomes).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(190);
  });

  it('is refused to a workspace that had too many checked, and to it alone', async () => {
    const check = checkWith(
      () => Promise.resolve({ ok: true, status: 204 }),
      (bucket) => (bucket === 'urls:ws_noisy' ? 7 : 0),
    );
    await expect(check('https://a.example/', 'ws_noisy')).rejects.toMatchObject({ status: 429 });
    expect(await check('https://a.example/', 'ws_quiet')).toBe('https://a.example/');
  });

  it.each([
    ['https://api.example.com/hook', 'api.example.com'],
    ['https://API.example.com.:8443/hook', 'api.example.com:443'],
    ['https://[2001:4860::1]/', '[2001:4860::1]:8080'],
  ])('refuses our own host: %s, called as %s', async (url, calledAs) => {
    await expect(responds(url, 'ws_1', calledAs)).rejects.toMatchObject({ more: { code: 'address_not_allowed' } });
  });

  it.each([
    ['https://hooks.example.com/', 'api.example.com'],
    ['https://localhost:9443/', 'localhost:8080'],
    ['https://a.example/', 'nonsense host'],
    ['https://a.example/', undefined],
  ])('asks a dispatcher about any other host: %s, called as %s', async (url, calledAs) => {
    expect(await responds(url, 'ws_1', calledAs)).toBe(url);
  });
});
