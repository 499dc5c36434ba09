import { parseCidrs, type Cidr } from '@form-webhooks/domain';
import { asText, asUrl, Setting, type SettingsCheck } from '@form-webhooks/settings';
import { isLoopbackUrl } from './guarded-fetch.js';
import { asKeySetFile } from './key-set-file.js';

const SECRET_MIN_BYTES = 32;

/** How tokens of the product's own identity provider are verified; without any of it only API keys are valid. */
export class TokenSettings {
  @Setting({
    env: 'JWT_JWKS_FILE',
    meaning: 'a file with the public keys (JWKS) that verify tokens',
    optional: true,
    parse: asKeySetFile,
  })
  readonly jwtJwksFile?: string;

  @Setting({
    env: 'JWT_JWKS_URL',
    meaning: 'where the public keys (JWKS) that verify tokens are fetched; the only outgoing HTTP of this service',
    optional: true,
    parse: asJwksUrl,
    // It may hold a password or a token.
    secret: true,
  })
  readonly jwtJwksUrl?: string;

  @Setting({
    env: 'JWT_JWKS_ALLOW',
    meaning:
      'CIDRs that JWT_JWKS_URL may reach although they are private, such as an identity provider of the own network',
    default: '',
    parse: parseCidrs,
  })
  readonly jwtJwksAllow: readonly Cidr[];

  @Setting({
    env: 'JWT_SHARED_SECRET',
    meaning: `a secret that the identity provider signs tokens with (HS256); at least ${SECRET_MIN_BYTES} bytes`,
    optional: true,
    parse: asSharedSecret,
    secret: true,
  })
  readonly jwtSharedSecret?: string;

  @Setting({ env: 'JWT_ISSUER', meaning: 'the iss that a token must have', optional: true, parse: asText })
  readonly jwtIssuer?: string;

  @Setting({ env: 'JWT_AUDIENCE', meaning: 'the aud that a token must have', optional: true, parse: asText })
  readonly jwtAudience?: string;

  /** One way of verifying, and never a token that was made for somebody else. */
  checks(): readonly SettingsCheck[] {
    const ways = (): number =>
      [this.jwtJwksFile, this.jwtJwksUrl, this.jwtSharedSecret].filter((source) => source !== undefined).length;
    const needed = (claim: string | undefined, problem: string): string | undefined =>
      ways() > 0 && claim === undefined ? problem : undefined;
    return [
      () => (ways() > 1 ? 'set one of JWT_JWKS_FILE, JWT_JWKS_URL and JWT_SHARED_SECRET' : undefined),
      () => needed(this.jwtIssuer, 'JWT_ISSUER is missing: the iss that a token must have'),
      () => needed(this.jwtAudience, 'JWT_AUDIENCE is missing: the aud that a token must have'),
    ];
  }
}

function asJwksUrl(text: string): string {
  const url = asUrl('https', 'http')(text);
  const at = new URL(url);
  if (at.protocol === 'https:' || isLoopbackUrl(at)) return url;
  throw new RangeError('http:// is for this machine only; write https://');
}

function asSharedSecret(text: string): string {
  if (Buffer.byteLength(text) >= SECRET_MIN_BYTES) return text;
  throw new RangeError(`shorter than ${SECRET_MIN_BYTES} bytes`);
}
