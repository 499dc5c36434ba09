import { In } from 'typeorm';
import type { Transaction } from '../database/data-source.js';
import { EndpointHeaderEntity } from './endpoint-header.entity.js';

export type EndpointHeader = Readonly<EndpointHeaderEntity>;

/** The names of each endpoint's headers, in their order; an endpoint without headers is missing. */
export async function headerNames(
  tx: Transaction,
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const headers = await tx.find(EndpointHeaderEntity, {
    select: { endpointId: true, name: true },
    where: { endpointId: In([...endpointIds]) },
    order: { endpointId: 'ASC', name: 'ASC' },
  });
  const names = new Map<string, string[]>();
  for (const { endpointId, name } of headers) names.set(endpointId, [...(names.get(endpointId) ?? []), name]);
  return names;
}

/** Adds headers, or gives them other values. Lock the endpoint first. */
export async function putHeaders(tx: Transaction, headers: readonly EndpointHeader[]): Promise<void> {
  if (headers.length > 0) await tx.upsert(EndpointHeaderEntity, [...headers], ['endpointId', 'name']);
}

/** Removes these headers of an endpoint. */
export async function deleteHeaders(tx: Transaction, endpointId: string, names: readonly string[]): Promise<void> {
  if (names.length > 0) await tx.delete(EndpointHeaderEntity, { endpointId, name: In([...names]) });
}
