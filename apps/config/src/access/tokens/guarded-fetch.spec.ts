import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AddressPolicy } from '@form-webhooks/domain';
import { guardedFetch } from './guarded-fetch.js';

const POLICY = new AddressPolicy({});
const LIMITS = { timeoutMs: 5_000, maxBytes: 1_000 };

describe('fetching from a configured address', () => {
  let server: Server;
  let answer: RequestListener;
  let url: URL;

  beforeEach(async () => {
    server = createServer((request, response) => answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = new URL(`http://ada:s3cret@127.0.0.1:${(server.address() as { port: number }).port}/keys?token=t0ken`);
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const failure = async (at: URL | string, limits = LIMITS): Promise<string> => {
    const error: unknown = await guardedFetch(new URL(at), POLICY, limits).catch((reason: unknown) => reason);
    expect(String(error)).not.toMatch(/s3cret|t0ken|127\.0|internal/);
    return (error as Error).message;
  };

  it('gives the body, and sends the credentials of the address as such', async () => {
    let sent: string | undefined;
    answer = (request, response) => {
      sent = request.headers.authorization;
      response.end('{"keys":[]}');
    };
    expect(String(await guardedFetch(url, POLICY, LIMITS))).toBe('{"keys":[]}');
    expect(sent).toBe(`Basic ${Buffer.from('ada:s3cret').toString('base64')}`);
  });

  it('follows no redirect', async () => {
    answer = (_, response) => response.writeHead(302, { location: 'http://internal.example/' }).end();
    expect(await failure(url)).toBe('the server answered 302');
  });

  it('ends an answer that is too large, too slow, or never comes', async () => {
    answer = (_, response) => response.end('x'.repeat(2_000));
    expect(await failure(url)).toContain('larger than 1000 bytes');
    answer = (_, response) => void response.write('x');
    expect(await failure(url, { ...LIMITS, timeoutMs: 200 })).toContain('not answered');
    answer = () => undefined;
    expect(await failure(url, { ...LIMITS, timeoutMs: 200 })).toContain('not answered');
  });

  it.each(['https://10.0.0.1/keys', 'https://169.254.169.254/', 'https://[fd00::1]/keys', 'https://127.0.0.2/'])(
    'dials no private address: %s',
    async (address) => expect(await failure(address)).toContain('the address is private'),
  );

  it('dials no name that stands for a private address', async () => {
    // Of this machine's own, by another name than those that mean it.
    expect(await failure('https://internal.localhost/keys')).toMatch(/the address is private|no connection/);
  });

  it('speaks plain HTTP to this machine alone', async () => {
    expect(await failure('http://192.88.98.1/keys')).toBe('the address is not https');
  });
});
