import { setTimeout as delay } from 'node:timers/promises';
import { generateApiKey } from '@form-webhooks/domain';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { anEvent, IngestStage } from '../support/ingest-service.js';

describe('who may post events', () => {
  let stage: IngestStage;

  beforeAll(async () => {
    stage = await IngestStage.open(brokerUrl(), {
      CACHE_MAX_AGE: '10m',
      // Config answers from this process: what makes its answer late is the machine.
      CONFIG_TIMEOUT: '5s',
      FAILED_AUTH_PER_MINUTE: '40',
      TRUSTED_PROXIES: '127.0.0.1',
    });
  });
  afterAll(() => stage.close());

  let lastAddress = 0;
  /** Each use is another address, so that no test spends another's failures. */
  const from = (address = `198.51.100.${++lastAddress}`) => ({ 'x-forwarded-for': address });
  const statusOf = async (authorization: string, headers = from()): Promise<number> =>
    (await stage.post(anEvent(), { authorization, ...headers })).status;

  it('admits a key that may write events', async () => {
    expect(await statusOf(`Bearer ${stage.key.key}`)).toBe(202);
  });

  it('answers 401 to no key, an unknown one, one changed character, another scheme', async () => {
    const { key } = stage.key;
    const changed = key.slice(0, 30) + (key[30] === 'a' ? 'b' : 'a') + key.slice(31);
    for (const authorization of ['', 'Bearer', `Bearer ${generateApiKey().key}`, `Bearer ${changed}`, `Basic ${key}`]) {
      const response = await stage.post(anEvent(), { authorization, ...from() });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('does not take a key from the URL', async () => {
    const url = `${stage.ingest.url}/v1/events?key=${stage.key.key}&access_token=${stage.key.key}`;
    const headers = { 'content-type': 'application/json', ...from() };
    expect((await fetch(url, { method: 'POST', headers, body: anEvent() })).status).toBe(401);
  });

  it('answers 403 to a key without the scope, 401 to an expired one', async () => {
    const other = stage.config.addKey({ scopes: ['forms:write', 'deliveries:read'] });
    expect(await statusOf(`Bearer ${other.key}`)).toBe(403);
    const expired = stage.config.addKey({ expires_at: Date.now() - 1 });
    expect(await statusOf(`Bearer ${expired.key}`)).toBe(401);
  });

  it('asks config once about a key, then serves from memory, and never sends the key itself', async () => {
    const key = stage.config.addKey();
    const before = stage.config.asked.length;
    const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(`Bearer ${key.key}`)));
    expect(new Set(statuses)).toEqual(new Set([202]));
    expect(stage.config.asked.slice(before)).toEqual([{ key_id: key.id, key_hash: key.hash }]);
  });

  it('refuses a revoked key from the notice on', async () => {
    const key = stage.config.addKey();
    expect(await statusOf(`Bearer ${key.key}`)).toBe(202);
    stage.config.revoke(key);
    stage.config.announce(key);
    await vi.waitFor(async () => expect(await statusOf(`Bearer ${key.key}`)).toBe(401), { timeout: 30_000 });
  });

  it('serves known-good keys while config is down, and answers 503 to unknown ones', async () => {
    const fresh = stage.config.addKey();
    expect(await statusOf(`Bearer ${stage.key.key}`)).toBe(202);
    await stage.config.stop();
    try {
      expect(await statusOf(`Bearer ${stage.key.key}`)).toBe(202);
      const response = await stage.post(anEvent(), { authorization: `Bearer ${fresh.key}`, ...from() });
      expect(response.status).toBe(503);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await stage.config.start();
    }
    await vi.waitFor(async () => expect(await statusOf(`Bearer ${fresh.key}`)).toBe(202), { timeout: 30_000 });
  });

  /** Until the address has used up what it may fail, at least forty times. @returns the first answer of another kind */
  async function guessUntilRefused(guesser: Record<string, string>): Promise<Response> {
    for (let failures = 0; ; failures++) {
      const authorization = `Bearer ${generateApiKey().key}`;
      const answer = await stage.post(anEvent(), { authorization, ...guesser });
      if (answer.status === 401) continue;
      expect(answer.status).toBe(429);
      // And one more in a second and a half that it took.
      expect(failures).toBeGreaterThanOrEqual(40);
      return answer;
    }
  }

  it('answers 429 with Retry-After to an address after many wrong keys; others and known keys are served', async () => {
    const guesser = from();
    const refused = await guessUntilRefused(guesser);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await statusOf(`Bearer ${stage.key.key}`, guesser)).toBe(202);
    expect(await statusOf(`Bearer ${generateApiKey().key}`)).toBe(401);
  });

  it('asks config about no more made-up keys than an address may fail, of 900 that come at once', async () => {
    const guesser = from();
    const before = stage.config.asked.length;
    const statuses = await Promise.all(
      Array.from({ length: 900 }, () => statusOf(`Bearer ${generateApiKey().key}`, guesser)),
    );
    // A machine that is busy can be late with an answer, which is nobody's failure: 503, and then the token is given back.
    expect(statuses.filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
    expect(stage.config.asked.length - before).toBeLessThanOrEqual(160);
    expect(await statusOf(`Bearer ${stage.key.key}`, guesser)).toBe(202);
  });

  it('lets in a good key that nobody knows yet, behind the address of somebody who goes on guessing', async () => {
    const guesser = from();
    const guessing = new AbortController();
    const guess = async (): Promise<void> => {
      while (!guessing.signal.aborted) {
        await statusOf(`Bearer ${generateApiKey().key}`, guesser);
        await delay(10);
      }
    };
    const guesses = Promise.all(Array.from({ length: 20 }, guess));
    await vi.waitFor(async () => expect(await statusOf(`Bearer ${generateApiKey().key}`, guesser)).toBe(429), 20_000);
    const { key } = stage.config.addKey();
    await vi.waitFor(async () => expect(await statusOf(`Bearer ${key}`, guesser)).toBe(202), {
      timeout: 20_000,
      interval: 500,
    });
    guessing.abort();
    await guesses;
  });

  it('takes an IPv4 address that comes mapped to IPv6 for the same address', async () => {
    const { 'x-forwarded-for': guesser } = from();
    const guess = (address: string) => statusOf(`Bearer ${generateApiKey().key}`, from(address));
    await guessUntilRefused(from(guesser));
    // Of which one may come when the next failure is allowed; an address of its own might fail forty times.
    const mapped = [1, 2, 3, 4, 5].map(() => guess(`::ffff:${guesser}`));
    expect(await Promise.all(mapped)).toContain(429);
    expect(await guess('::ffff:203.0.113.9')).toBe(401);
  });
});

describe('how much a key may post', () => {
  it('answers 429 with Retry-After beyond the rate, and lets other keys through', async () => {
    const stage = await IngestStage.open(brokerUrl(), { EVENTS_PER_SECOND: '1' });
    try {
      const responses = await Promise.all(Array.from({ length: 20 }, () => stage.post(anEvent())));
      const refused = responses.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(0);
      expect(refused[0]!.headers.get('retry-after')).toBe('1');
      const other = stage.config.addKey();
      expect((await stage.post(anEvent(), { authorization: `Bearer ${other.key}` })).status).toBe(202);
    } finally {
      await stage.close();
    }
  });
});
