import { createLocalJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { AddressPolicy, MAX_MOMENT_MS, WORKSPACE_ID_PATTERN } from '@form-webhooks/domain';
import { VIEWER_SCOPES, WORKSPACE_SCOPES, type Scope } from '@form-webhooks/http-api';
import { unavailable } from '@form-webhooks/http-edge';
import { CallerIdentity } from '../caller-identity.js';
import { readKeySet } from './key-set-file.js';
import { KeysUnavailable, remoteKeys } from './remote-keys.js';
import type { TokenSettings } from './token-settings.js';

const ASYMMETRIC = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const CLOCK_TOLERANCE_SECONDS = 30;
const TYPES: readonly (string | undefined)[] = [undefined, 'jwt', 'at+jwt'];
const SUBJECT_PATTERN = /^[\x21-\x7e]{1,255}$/;
const RETRY_AFTER_MS = 30_000;
const LAST_SECOND = Math.floor(MAX_MOMENT_MS / 1_000);

const SCOPES_OF_ROLE: ReadonlyMap<unknown, readonly Scope[]> = new Map([
  ['owner', WORKSPACE_SCOPES],
  ['viewer', VIEWER_SCOPES],
]);

/** Verifies tokens of the product's own identity provider. */
export abstract class TokenVerifier {
  /**
   * @returns undefined for a token that is not valid here
   * @throws Problem 503 if the keys can't be had
   */
  abstract verify(token: string, ip: string): Promise<CallerIdentity | undefined>;
}

/** For an installation without an identity provider. */
export class NoTokens extends TokenVerifier {
  verify(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

interface TokenRules {
  readonly algorithms: string[];
  readonly issuer: string;
  readonly audience: string;
}

/** JWTs with the claims `sub`, `workspace_id` and `role`; algorithms and keys come from the configuration alone. */
class JwtVerifier extends TokenVerifier {
  constructor(
    private readonly keys: JWTVerifyGetKey,
    private readonly rules: TokenRules,
  ) {
    super();
  }

  async verify(token: string, ip: string): Promise<CallerIdentity | undefined> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.keys, {
        ...this.rules,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['exp', 'sub', 'workspace_id', 'role'],
      });
      return TYPES.includes(protectedHeader.typ?.toLowerCase()) ? identityOf(payload, ip) : undefined;
    } catch (error) {
      if (error instanceof KeysUnavailable || error instanceof errors.JWKSTimeout) {
        throw unavailable(RETRY_AFTER_MS, 'Tokens can not be verified now: the keys can not be fetched.');
      }
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}

/** The verifier that the settings ask for. @throws if a key file can't be read or holds a key that isn't public */
export function createTokenVerifier(settings: TokenSettings): TokenVerifier {
  const { jwtIssuer: issuer, jwtAudience: audience, jwtSharedSecret, jwtJwksFile, jwtJwksUrl } = settings;
  if (issuer === undefined || audience === undefined) return new NoTokens();
  if (jwtSharedSecret !== undefined) {
    const secret = new TextEncoder().encode(jwtSharedSecret);
    return new JwtVerifier(() => secret, { algorithms: ['HS256'], issuer, audience });
  }
  const rules = { algorithms: ASYMMETRIC, issuer, audience };
  if (jwtJwksFile !== undefined) return new JwtVerifier(createLocalJWKSet(readKeySet(jwtJwksFile)), rules);
  return jwtJwksUrl === undefined
    ? new NoTokens()
    : new JwtVerifier(remoteKeys(jwtJwksUrl, new AddressPolicy({ allow: settings.jwtJwksAllow })), rules);
}

function identityOf({ sub, workspace_id, role, exp }: JWTPayload, ip: string): CallerIdentity | undefined {
  const scopes = SCOPES_OF_ROLE.get(role);
  if (scopes === undefined || sub === undefined || !SUBJECT_PATTERN.test(sub)) return undefined;
  if (typeof workspace_id !== 'string' || !WORKSPACE_ID_PATTERN.test(workspace_id)) return undefined;
  const caller = new CallerIdentity(`user:${sub}`, null, ip, workspace_id, new Set(scopes));
  // Required of every token.
  caller.expiresAt = new Date(Math.min(exp!, LAST_SECOND) * 1_000);
  return caller;
}
