import { createServer, type Server } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadSettings, SettingsError } from '@form-webhooks/settings';
import { createTokenVerifier, NoTokens, type TokenVerifier } from './token-verifier.js';
import { TokenSettings } from './token-settings.js';

const SECRET = 'a shared secret of more than 32 bytes';
const CLAIMS = { workspace_id: 'ws_one', role: 'owner' };
const BASE = { JWT_ISSUER: 'https://id.example', JWT_AUDIENCE: 'config' };

const settingsOf = (env: Record<string, string>) => loadSettings(TokenSettings, { ...BASE, ...env });

function token(claims: JWTPayload = CLAIMS): SignJWT {
  return new SignJWT({ iss: BASE.JWT_ISSUER, aud: BASE.JWT_AUDIENCE, sub: 'ada', ...claims })
    .setIssuedAt()
    .setExpirationTime(claims.exp ?? '5m');
}

describe('tokens signed with a shared secret', () => {
  const key = new TextEncoder().encode(SECRET);
  const verifier = createTokenVerifier(settingsOf({ JWT_SHARED_SECRET: SECRET }));
  const signed = (claims?: JWTPayload, header: object = {}) =>
    token(claims)
      .setProtectedHeader({ alg: 'HS256', ...header })
      .sign(key);

  it('say who calls, for which workspace and in which role', async () => {
    const owner = await verifier.verify(await signed(), '192.0.2.1');
    expect(owner).toMatchObject({ actor: 'user:ada', keyId: null, workspaceId: 'ws_one', ip: '192.0.2.1' });
    expect(owner!.may('data:erase')).toBe(true);
    expect(owner!.may('forms:write')).toBe(false);
    const viewer = await verifier.verify(await signed({ ...CLAIMS, role: 'viewer' }), '192.0.2.1');
    expect([...viewer!.scopes].sort()).toEqual(['audit:read', 'deliveries:read', 'endpoints:read']);
  });

  const second = Math.floor(Date.now() / 1_000);
  it.each<[string, JWTPayload]>([
    ['has expired', { ...CLAIMS, exp: second - 31 }],
    ['is not valid yet', { ...CLAIMS, nbf: second + 60 }],
    ['was made by another issuer', { ...CLAIMS, iss: 'https://evil.example' }],
    ['was made for another audience', { ...CLAIMS, aud: 'dashboard' }],
    ['names no workspace', { role: 'owner' }],
    ['names something else as workspace', { ...CLAIMS, workspace_id: 'one' }],
    ['names a list as workspace', { ...CLAIMS, workspace_id: ['ws_one'] }],
    ['has no role', { workspace_id: 'ws_one' }],
    ['has an unknown role', { ...CLAIMS, role: 'admin' }],
    ['has a role that is a property of every object', { ...CLAIMS, role: 'constructor' }],
    ['has a subject that does not fit into a log', { ...CLAIMS, sub: 'a\u0000b' }],
  ])('that %s are refused', async (_, claims) => {
    expect(await verifier.verify(await signed(claims), '::1')).toBeUndefined();
  });

  it('of another type, signature or algorithm are refused', async () => {
    const good = await signed();
    const unsigned = new UnsecuredJWT({ ...CLAIMS, sub: 'ada', iss: BASE.JWT_ISSUER, aud: BASE.JWT_AUDIENCE })
      .setExpirationTime('5m')
      .encode();
    const stronger = await token().setProtectedHeader({ alg: 'HS512' }).sign(key);
    for (const wrong of [
      `${good.slice(0, -4)}AAAA`,
      unsigned,
      stronger,
      await signed(CLAIMS, { typ: 'dpop+jwt' }),
      'a.b.c',
    ]) {
      expect(await verifier.verify(wrong, '::1')).toBeUndefined();
    }
    expect(await verifier.verify(await signed(CLAIMS, { typ: 'at+jwt' }), '::1')).toBeDefined();
  });
});

describe('tokens signed with a key pair', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jwks-'));
  let keys: { publicKey: CryptoKey; privateKey: CryptoKey };
  let jwks: string;

  beforeAll(async () => {
    keys = await generateKeyPair('ES256', { extractable: true });
    jwks = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256' }] });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const fileWith = (text: string): TokenVerifier => {
    const file = join(folder, 'jwks.json');
    writeFileSync(file, text);
    return createTokenVerifier(settingsOf({ JWT_JWKS_FILE: file }));
  };
  const signed = (kid = 'k1') => token().setProtectedHeader({ alg: 'ES256', kid }).sign(keys.privateKey);

  it('are verified with the keys of a file', async () => {
    const verifier = fileWith(jwks);
    expect(await verifier.verify(await signed(), '::1')).toMatchObject({ actor: 'user:ada' });
    expect(await verifier.verify(await signed('k2'), '::1')).toBeUndefined();
  });

  it('are not taken for ones signed with the public key as a shared secret', async () => {
    const publicText = new TextEncoder().encode(await exportSPKI(keys.publicKey));
    const forged = await token().setProtectedHeader({ alg: 'HS256', kid: 'k1' }).sign(publicText);
    expect(await fileWith(jwks).verify(forged, '::1')).toBeUndefined();
  });

  it('need a file with public keys only', async () => {
    const secret = JSON.stringify({ keys: [await exportJWK(keys.privateKey)] });
    expect(() => fileWith(secret)).toThrow('holds a secret or private key');
    expect(() => fileWith('{}')).toThrow('JWT_JWKS_FILE: ');
    for (const text of ['{}', 'null', 'hunter2'])
      expect(() => fileWith(text)).toThrow(/^(?!.*hunter2).*is no key set/s);
  });

  describe('whose keys are fetched', () => {
    let server: Server;
    let asked = 0;
    let answer: { status: number; body: string };

    beforeEach(async () => {
      asked = 0;
      answer = { status: 200, body: jwks };
      server = createServer((_request, response) => {
        asked++;
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return () => server.close();
    });

    const fetching = (): TokenVerifier => {
      const { port } = server.address() as { port: number };
      return createTokenVerifier(settingsOf({ JWT_JWKS_URL: `http://127.0.0.1:${port}/jwks` }));
    };

    it('are verified, and an unknown key id does not cause a fetch each time', async () => {
      const verifier = fetching();
      expect(await verifier.verify(await signed(), '::1')).toMatchObject({ actor: 'user:ada' });
      for (let i = 0; i < 5; i++) expect(await verifier.verify(await signed(`k${i + 2}`), '::1')).toBeUndefined();
      expect(asked).toBe(1);
    });

    it.each([
      ['answers 500', { status: 500, body: '' }],
      ['answers without end', { status: 200, body: ' '.repeat(300_000) }],
    ])('can not be verified while the key server %s, and it is left alone for a while', async (_, bad) => {
      answer = bad;
      const verifier = fetching();
      for (let i = 0; i < 3; i++) {
        await expect(verifier.verify(await signed(), '::1')).rejects.toMatchObject({ status: 503 });
      }
      expect(asked).toBe(1);
    });
  });
});

describe('the settings for tokens', () => {
  it('verify nothing unless they say how', () => {
    expect(createTokenVerifier(loadSettings(TokenSettings, {}))).toBeInstanceOf(NoTokens);
  });

  it.each([
    [{ JWT_SHARED_SECRET: 'short' }, 'JWT_SHARED_SECRET'],
    [{ JWT_SHARED_SECRET: SECRET, JWT_JWKS_URL: 'https://id.example/keys' }, 'set one of'],
    [{ JWT_JWKS_FILE: '/nope/keys.json' }, 'JWT_JWKS_FILE: the file /nope/keys.json can not be read'],
    [{ JWT_SHARED_SECRET: SECRET, JWT_ISSUER: '' }, 'JWT_ISSUER is missing'],
    [{ JWT_JWKS_URL: 'http://id.example/keys' }, 'for this machine only'],
  ])('refuse %j', (env, words) => {
    expect(() => settingsOf(env)).toThrow(SettingsError);
    expect(() => settingsOf(env)).toThrow(words);
  });
});
