import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const ISSUER = 'https://identity.example';
const AUDIENCE = 'config';
/** Longer than any fault: no token of it ends by itself. */
const TOKEN_SECONDS = 3_600;

interface SigningKey {
  readonly id: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** A token for whoever has the key: that of the provider, or one who stole it. */
export type TokenMaker = (workspaceId: string) => string;

/** An identity provider as far as config knows one: it signs tokens, and shows the public half of its key. */
export class IdentityProvider {
  private key = freshKey();

  private constructor(private readonly server: Server) {}

  static async open(): Promise<IdentityProvider> {
    const server = createServer();
    const provider = new IdentityProvider(server);
    server.on('request', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(provider.keySet()));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    return provider;
  }

  /** Config's, to take its tokens. */
  get settings(): Readonly<Record<string, string>> {
    const { port } = this.server.address() as AddressInfo;
    return { JWT_JWKS_URL: `http://127.0.0.1:${port}/jwks`, JWT_ISSUER: ISSUER, JWT_AUDIENCE: AUDIENCE };
  }

  /** Signs with its key of now for ever, as a copy of the key would. */
  get tokens(): TokenMaker {
    const { key } = this;
    return (workspaceId) => signed(key, workspaceId);
  }

  /** It signs with another key from now on, and its set has no other. */
  changeKey(): void {
    this.key = freshKey();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private keySet(): object {
    const { id, publicKey } = this.key;
    return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: id, alg: 'ES256', use: 'sig' }] };
  }
}

const freshKey = (): SigningKey => ({
  id: randomBytes(8).toString('hex'),
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }),
});

function signed({ id, privateKey }: SigningKey, workspaceId: string): string {
  const now = Math.floor(Date.now() / 1_000);
  const about = { iss: ISSUER, aud: AUDIENCE, sub: 'ada', iat: now, exp: now + TOKEN_SECONDS };
  const head = encoded({ alg: 'ES256', typ: 'JWT', kid: id });
  const text = `${head}.${encoded({ ...about, workspace_id: workspaceId, role: 'owner' })}`;
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
