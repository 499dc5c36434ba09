import type { CallerIdentity } from './caller-identity.js';

/** Verifies tokens of the product's own identity provider. */
export abstract class TokenVerifier {
  /** @returns undefined for a token that is not valid here */
  abstract verify(token: string, ip: string): Promise<CallerIdentity | undefined>;
}

/** For an installation without an identity provider. */
export class NoTokens extends TokenVerifier {
  verify(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}
