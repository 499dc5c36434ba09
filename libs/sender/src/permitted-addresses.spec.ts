import { createSocket, type Socket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { AddressPolicy, parseCidrs } from '@form-webhooks/domain';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AddressNotAllowed, classify, NameNotResolved } from './failure.js';
import { PermittedAddresses, type DeniedConnection, type NameResolver } from './permitted-addresses.js';
import { DnsError, fixedResolver } from './testing/test-sender.js';

const NAME = 'hooks.good.com';
const denied: DeniedConnection[] = [];
const servers: Socket[] = [];
afterEach(() => {
  vi.useRealTimers();
  denied.length = 0;
  for (const server of servers.splice(0)) server.close();
});

function permitted(
  resolver: NameResolver | (() => NameResolver),
  overrides: { cacheMs?: number; allow?: string; hosts?: string[] } = {},
): PermittedAddresses {
  return new PermittedAddresses({
    createResolver: typeof resolver === 'function' ? resolver : () => resolver,
    policy: new AddressPolicy({ allow: parseCidrs(overrides.allow ?? '') }),
    allowedHosts: overrides.hosts ?? [],
    cacheMs: overrides.cacheMs ?? 0,
    onDenied: (info) => denied.push(info),
  });
}

/** A DNS server on loopback that gives every query the same result code, or none at all. */
async function realResolver(
  rcode: number | 'silent' | ((name: string) => number | 'silent'),
): Promise<() => NameResolver> {
  const server = createSocket('udp4');
  servers.push(server);
  server.on('message', (query, from) => {
    const name = query.subarray(12).toString('latin1');
    const code = typeof rcode === 'function' ? rcode(name) : rcode;
    if (code === 'silent') return;
    const answer = Buffer.from(query);
    answer.writeUInt16BE(0x8180 | code, 2);
    answer.writeUInt16BE(0, 10);
    server.send(answer.subarray(0, 12 + questionLength(query)), from.port, from.address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  return () => {
    const resolver = new dns.Resolver({ timeout: 1_000, tries: 2 });
    resolver.setServers([`127.0.0.1:${server.address().port}`]);
    return resolver;
  };
}

function questionLength(query: Buffer): number {
  let at = 12;
  while (query[at] !== 0) at += query[at]! + 1;
  return at + 5 - 12;
}

describe('permitted addresses (E5 to E7)', () => {
  it('keeps the permitted answers of both families, IPv4 first', async () => {
    const addresses = permitted(
      fixedResolver({ [NAME]: { v4: ['10.0.0.5', '93.184.216.34'], v6: ['fd00::1', '2606:4700::1'] } }),
    );
    expect(await addresses.of(NAME)).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
    expect(denied).toEqual([]);
  });

  it('uses at most 8 of many answers (E7)', async () => {
    const many = Array.from({ length: 40 }, (_, i) => (i % 2 ? `93.184.216.${i}` : `10.0.0.${i}`));
    const addresses = await permitted(fixedResolver({ [NAME]: { v4: many } })).of(NAME);
    expect(addresses).toHaveLength(8);
    expect(addresses.every(({ address }) => address.startsWith('93.'))).toBe(true);
  });

  it('tells the operator what it refused, and the caller nothing (E11)', async () => {
    const addresses = permitted(fixedResolver({ [NAME]: { v4: ['10.0.0.5'], v6: 'ESERVFAIL' } }));
    const error = await addresses.of(NAME).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AddressNotAllowed);
    expect(String(error)).not.toContain('10.0.0.5');
    expect(denied).toEqual([{ host: NAME, addresses: ['10.0.0.5'] }]);
  });

  it.each<[string, string | string[], string | string[], RegExp]>([
    ['E6: an empty answer', [], [], /has no address/],
    ['row 45: an unknown name', 'ENOTFOUND', 'ENOTFOUND', /does not exist/],
    ['row 45: a server failure', 'ESERVFAIL', 'ENODATA', /could not be resolved/],
    ['row 45: a malformed answer', 'EBADRESP', 'EBADRESP', /could not be resolved/],
  ])('%s is a DNS error', async (_row, v4, v6, words) => {
    const error = await permitted(fixedResolver({ [NAME]: { v4, v6 } }))
      .of(NAME)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NameNotResolved);
    expect(classify(error, false)).toEqual({ code: 'dns', message: expect.stringMatching(words) as string });
  });

  it('uses one family’s answer when the other’s query fails, or is never answered', async () => {
    const failing = fixedResolver({ [NAME]: { v4: ['93.184.216.34'], v6: 'ETIMEOUT' } });
    expect(await permitted(failing).of(NAME)).toHaveLength(1);
    const deaf: NameResolver = { ...failing, resolve6: () => new Promise(() => undefined) };
    expect(await permitted(deaf).of(NAME)).toHaveLength(1);
  });
});

describe('asking real servers (rows 44, 45)', { retry: 2 }, () => {
  it('row 44: a silent server is given up in 3.2 s, and holds up no other name', async () => {
    const resolver = await realResolver((name) => (name.includes('dead') ? 'silent' : 3));
    const addresses = permitted(resolver);
    const began = performance.now();
    const dead = addresses.of('dead.good.com').catch((error: unknown) => error);
    let isOver = false;
    void dead.then(() => (isOver = true));
    await addresses.of('other.good.com').catch(() => undefined);
    expect(isOver).toBe(false);
    expect(await dead).toBeInstanceOf(NameNotResolved);
    // c-ares' own time-outs would take that long.
    expect(performance.now() - began).toBeLessThan(4_000);
  });

  it.each([
    ['SERVFAIL', 2, /could not be resolved/],
    ['NXDOMAIN', 3, /does not exist/],
  ])('row 45: %s', async (_name, rcode, words) => {
    const error = await permitted(await realResolver(rcode))
      .of(NAME)
      .catch((reason: unknown) => reason);
    expect(classify(error, false)).toEqual({ code: 'dns', message: expect.stringMatching(words) as string });
  });
});

describe('what is not asked', () => {
  const counting = (): NameResolver & { resolve4: ReturnType<typeof vi.fn> } => ({
    resolve4: vi.fn(async () => ['93.184.216.34']),
    resolve6: async () => [],
    cancel: () => undefined,
  });

  it('asks once for concurrent connections to one name', async () => {
    const resolver = counting();
    const addresses = permitted(resolver);
    await Promise.all([addresses.of(NAME), addresses.of(NAME.toUpperCase()), addresses.of('other.com')]);
    expect(resolver.resolve4).toHaveBeenCalledTimes(2);
    await addresses.of(NAME);
    expect(resolver.resolve4).toHaveBeenCalledTimes(3);
  });

  it('reuses good answers for the time given', async () => {
    const resolver = counting();
    const addresses = permitted(resolver, { cacheMs: 30_000 });
    await addresses.of(NAME);
    await addresses.of(NAME);
    expect(resolver.resolve4).toHaveBeenCalledTimes(1);
  });

  it.each<[string, (resolver: ReturnType<typeof counting>) => unknown]>([
    ['refused', ({ resolve4 }) => resolve4.mockResolvedValueOnce(['10.0.0.5'])],
    ['dead', ({ resolve4 }) => resolve4.mockRejectedValueOnce(new DnsError('ENOTFOUND'))],
    ['failing', ({ resolve4 }) => resolve4.mockRejectedValueOnce(new DnsError('ESERVFAIL'))],
    ['silent', ({ resolve4 }) => resolve4.mockRejectedValueOnce(new DnsError('ETIMEOUT'))],
  ])('asks of a %s name once in 5 s', async (_kind, prepare) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const resolver = counting();
    prepare(resolver);
    const addresses = permitted(resolver, { cacheMs: 30_000 });
    for (let n = 0; n < 5; n++) await expect(addresses.of(NAME)).rejects.toThrow();
    vi.advanceTimersByTime(4_900);
    await expect(addresses.of(NAME)).rejects.toThrow();
    expect(resolver.resolve4).toHaveBeenCalledTimes(1);
    expect(denied.length).toBeLessThanOrEqual(1);
    vi.advanceTimersByTime(200);
    expect(await addresses.of(NAME)).toHaveLength(1);
  });

  it.each(['localhost', 'a.localhost'])(
    '%s is loopback without DNS where it is let through (RFC 6761)',
    async (name) => {
      const resolver = counting();
      const hosts = { hosts: ['localhost', '*.localhost'], allow: '127.0.0.0/8,::1' };
      expect(await permitted(resolver, hosts).of(name)).toEqual([
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]);
      expect(resolver.resolve4).not.toHaveBeenCalled();
      await expect(permitted(resolver, { ...hosts, allow: '' }).of(name)).rejects.toThrow(AddressNotAllowed);
    },
  );
});

describe('an answer of thousands of addresses', () => {
  const flood = (address: (n: number) => string): string[] => Array.from({ length: 6_300 }, (_, n) => address(n));
  const v4 = flood((n) => `10.0.${n >> 8}.${n & 255}`);
  const v6 = flood((n) => `fd00::${n.toString(16)}`);

  it('is judged by its first 64 of each family, and 8 are logged', async () => {
    const policy = new AddressPolicy();
    const permits = vi.spyOn(policy, 'permits');
    const addresses = new PermittedAddresses({
      createResolver: () => fixedResolver({ [NAME]: { v4, v6 } }),
      policy,
      allowedHosts: [],
      cacheMs: 0,
      onDenied: (info) => denied.push(info),
    });
    await expect(addresses.of(NAME)).rejects.toThrow(AddressNotAllowed);
    expect(new Set(permits.mock.calls.flat()).size).toBe(128);
    expect(permits.mock.calls.length).toBeLessThanOrEqual(256);
    expect(denied).toEqual([{ host: NAME, addresses: v4.slice(0, 8) }]);
  });
});

describe('a query', () => {
  const silent = () => ({
    resolve4: () => new Promise<string[]>(() => undefined),
    resolve6: () => new Promise<string[]>(() => undefined),
    cancel: vi.fn(),
  });

  it('ends with the last attempt that waits for it, and is then asked anew', async () => {
    const made: ReturnType<typeof silent>[] = [];
    const addresses = permitted(() => (made.push(silent()), made.at(-1)!), { cacheMs: 30_000 });
    const [first, second] = [new AbortController(), new AbortController()];
    void addresses.of(NAME, first.signal);
    void addresses.of(NAME, second.signal);
    first.abort();
    expect(made.map(({ cancel }) => cancel.mock.calls.length)).toEqual([0]);
    second.abort();
    expect(made.map(({ cancel }) => cancel.mock.calls.length)).toEqual([1]);
    void addresses.of(NAME);
    expect(made).toHaveLength(2);
  });

  it('ends when the other family’s answer is used without it', async () => {
    const deaf = { ...silent(), resolve4: async () => ['93.184.216.34'] };
    expect(await permitted(deaf).of(NAME)).toHaveLength(1);
    expect(deaf.cancel).toHaveBeenCalledTimes(1);
  });

  it('is cut off at a real server that never answers', async () => {
    const addresses = permitted(await realResolver('silent'));
    const attempt = new AbortController();
    const began = performance.now();
    const asked = addresses.of(NAME, attempt.signal);
    attempt.abort();
    await expect(asked).rejects.toThrow(NameNotResolved);
    // Without that it would be given up after 3 s.
    expect(performance.now() - began).toBeLessThan(2_900);
  });
});

describe('the lookup for sockets (E8)', () => {
  const addresses = permitted(
    fixedResolver({ [NAME]: { v4: ['93.184.216.34'], v6: ['2606:4700::1'] }, 'gone.com': { v4: [] } }),
  );
  const lookup = (name: string, options: { all?: boolean; family?: number }): Promise<unknown[]> =>
    new Promise((resolve) => addresses.lookupUntil()(name, options, (...given: unknown[]) => resolve(given)));

  it('gives all addresses, or one of the family asked for', async () => {
    expect(await lookup(NAME, { all: true })).toEqual([
      null,
      [
        { address: '93.184.216.34', family: 4 },
        { address: '2606:4700::1', family: 6 },
      ],
    ]);
    expect(await lookup(NAME, { family: 6 })).toEqual([null, '2606:4700::1', 6]);
    expect(await lookup(NAME, {})).toEqual([null, '93.184.216.34', 4]);
    expect((await lookup('gone.com', { all: true }))[0]).toBeInstanceOf(NameNotResolved);
  });

  it('answers in a later turn of the event loop, also from the cache', async () => {
    const cached = permitted(fixedResolver({ [NAME]: { v4: ['93.184.216.34'] } }), { cacheMs: 1_000 });
    await cached.of(NAME);
    const order: string[] = [];
    const answered = new Promise<void>((resolve) =>
      cached.lookupUntil()(NAME, {}, () => (order.push('lookup'), resolve())),
    );
    await new Promise((resolve) => process.nextTick(resolve));
    for (let i = 0; i < 10; i++) await Promise.resolve();
    order.push('microtasks');
    await answered;
    expect(order).toEqual(['microtasks', 'lookup']);
  });
});
