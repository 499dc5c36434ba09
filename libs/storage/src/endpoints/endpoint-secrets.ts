import { In, LessThanOrEqual, MoreThan } from 'typeorm';
import type { Transaction } from '../database/data-source.js';
import { EndpointHeaderEntity } from './endpoint-header.entity.js';
import { EndpointSecretEntity, type SecretState } from './endpoint-secret.entity.js';

export type EndpointSecret = Readonly<EndpointSecretEntity>;

export async function insertSecret(tx: Transaction, secret: EndpointSecret): Promise<void> {
  await tx.insert(EndpointSecretEntity, secret);
}

/** The one in that state. */
export function findSecret(
  tx: Transaction,
  endpointId: string,
  state: Exclude<SecretState, 'previous'>,
): Promise<EndpointSecret | null> {
  return tx.findOneBy(EndpointSecretEntity, { endpointId, state });
}

/** The signing secret's hint of each endpoint. */
export async function currentHints(
  tx: Transaction,
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const secrets = await tx.find(EndpointSecretEntity, {
    select: { endpointId: true, hint: true },
    where: { endpointId: In([...endpointIds]), state: 'current' },
  });
  return new Map(secrets.map((secret) => [secret.endpointId, secret.hint]));
}

/** What of a secret may be shown. */
export type SecretFacts = Pick<
  EndpointSecret,
  'id' | 'hint' | 'state' | 'expiresAt' | 'createdAt' | 'createdBy' | 'stateSince'
>;

/** An endpoint's secrets that are valid or will be, the youngest first. */
export function listSecrets(tx: Transaction, endpointId: string, now: Date): Promise<SecretFacts[]> {
  return tx.find(EndpointSecretEntity, {
    select: { id: true, hint: true, state: true, expiresAt: true, createdAt: true, createdBy: true, stateSince: true },
    where: [
      { endpointId, state: In(['prepared', 'current']) },
      { endpointId, state: 'previous', expiresAt: MoreThan(now) },
    ],
    order: { createdAt: 'DESC', id: 'DESC' },
  });
}

/** How many retired secrets of an endpoint are still valid. */
export function countPreviousSecrets(tx: Transaction, endpointId: string, now: Date): Promise<number> {
  return tx.countBy(EndpointSecretEntity, { endpointId, state: 'previous', expiresAt: MoreThan(now) });
}

/** Retired ones whose overlap has ended. */
export async function deleteExpiredSecrets(tx: Transaction, endpointId: string, now: Date): Promise<void> {
  await tx.delete(EndpointSecretEntity, { endpointId, state: 'previous', expiresAt: LessThanOrEqual(now) });
}

/** An earlier secret that still signs; null if there is none. */
export function findPreviousSecret(
  tx: Transaction,
  endpointId: string,
  id: string,
  now: Date,
): Promise<SecretFacts | null> {
  return tx.findOneBy(EndpointSecretEntity, { id, endpointId, state: 'previous', expiresAt: MoreThan(now) });
}

/** Gives an earlier secret another end. Lock the endpoint before it is looked up. */
export async function endPreviousSecret(tx: Transaction, id: string, expiresAt: Date, now: Date): Promise<void> {
  // Without a future it is worth nothing to anyone but a thief.
  if (expiresAt <= now) await tx.delete(EndpointSecretEntity, { id });
  else await tx.update(EndpointSecretEntity, { id }, { expiresAt });
}

/** A secret without a state is worth nothing to anyone but a thief: its row goes. */
export async function deleteSecret(
  tx: Transaction,
  endpointId: string,
  state: Exclude<SecretState, 'previous'>,
): Promise<void> {
  await tx.delete(EndpointSecretEntity, { endpointId, state });
}

/** Everything sealed of endpoints that are deleted: their signing secrets and the values of their headers. */
export async function deleteSealedOf(tx: Transaction, endpointIds: readonly string[]): Promise<void> {
  if (endpointIds.length === 0) return;
  const ofThem = { endpointId: In([...endpointIds]) };
  await tx.delete(EndpointSecretEntity, ofThem);
  await tx.delete(EndpointHeaderEntity, ofThem);
}

export async function moveSecret(
  tx: Transaction,
  id: string,
  to: { readonly state: SecretState; readonly stateSince: Date; readonly expiresAt: Date | null },
): Promise<void> {
  await tx.update(EndpointSecretEntity, { id }, to);
}
