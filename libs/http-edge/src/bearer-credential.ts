const BEARER = /^Bearer( +)([\x21-\x7e]+)$/i;

/** What a service takes for a credential. */
export interface BearerLimits {
  /** How long it may be, in characters. */
  readonly maxLength: number;
  /** How many spaces may stand before it; RFC 9110 allows any number. */
  readonly maxSpaces?: number;
}

/** The credential in an `Authorization: Bearer …` header; undefined if the header holds none. */
export function bearerCredential(
  authorization: string,
  { maxLength, maxSpaces = Infinity }: BearerLimits,
): string | undefined {
  const [, spaces = '', credential = ''] = BEARER.exec(authorization) ?? [];
  if (credential === '' || credential.length > maxLength || spaces.length > maxSpaces) return undefined;
  return credential;
}
