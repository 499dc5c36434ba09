import type { CallerIdentity } from '../access/caller-identity.js';

/** An API key, by which calls are made or the dashboard was opened. */
export const nameOfKey = (keyId: string): string => `key:${keyId}`;

/** A session of the dashboard, by the hash of its token: who reads it can't call with it. */
export const nameOfSession = (hash: string): string => `session:${hash}`;

/** What a caller's stream ends with; nothing for a token, which nobody revokes. */
export function credentialsOf({ keyId, session }: CallerIdentity): readonly string[] {
  const key = keyId ?? session?.keyId ?? null;
  return [...(key === null ? [] : [nameOfKey(key)]), ...(session ? [nameOfSession(session.hash)] : [])];
}
