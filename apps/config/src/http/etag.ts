import { preconditionFailed } from '@form-webhooks/http-edge';

export const etagOf = (version: number): string => `"${version}"`;

/** @throws Problem 412 if the caller has seen another version than this one; without `If-Match` any will do */
export function checkIfMatch(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const seen = ifMatch.split(',').map((tag) => tag.trim());
  if (seen.includes(etagOf(version))) return;
  throw preconditionFailed(`It has changed since: it is at version ${version} now. Read it again and decide anew.`);
}
