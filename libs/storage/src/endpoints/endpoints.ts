import { IsNull } from 'typeorm';
import type { AfterRow } from '../database/after-row.js';
import type { Transaction } from '../database/data-source.js';
import { EndpointEntity } from './endpoint.entity.js';
import { deleteSealedOf } from './endpoint-secrets.js';
import type { Form } from '../forms/forms.js';

export type Endpoint = Readonly<EndpointEntity>;

const ofForm = (form: Form) => ({ workspaceId: form.workspaceId, formId: form.id, deletedAt: IsNull() });

/** The form's endpoints, oldest first. */
export function listEndpoints(tx: Transaction, form: Form, limit: number, after?: AfterRow): Promise<Endpoint[]> {
  const query = tx
    .createQueryBuilder(EndpointEntity, 'endpoint')
    .where(ofForm(form))
    .orderBy({ 'endpoint.createdAt': 'ASC', 'endpoint.id': 'ASC' })
    .take(limit);
  if (after) query.andWhere('(endpoint.createdAt, endpoint.id) > (:createdAt, :id)', after);
  return query.getMany();
}

export function findEndpoint(tx: Transaction, form: Form, id: string): Promise<Endpoint | null> {
  return tx.findOneBy(EndpointEntity, { ...ofForm(form), id });
}

/** The endpoint, locked until the transaction ends. */
export function lockEndpoint(tx: Transaction, form: Form, id: string): Promise<Endpoint | null> {
  return tx.findOne(EndpointEntity, { where: { ...ofForm(form), id }, lock: { mode: 'pessimistic_write' } });
}

export function countEndpoints(tx: Transaction, form: Form): Promise<number> {
  return tx.countBy(EndpointEntity, ofForm(form));
}

/** The form's endpoints by what they are called by and where they lead, oldest first; at most as many as a form can have. */
export function urlsOf(tx: Transaction, form: Form): Promise<Pick<Endpoint, 'id' | 'url'>[]> {
  return tx.find(EndpointEntity, {
    select: { id: true, url: true },
    where: ofForm(form),
    order: { createdAt: 'ASC', id: 'ASC' },
  });
}

export async function insertEndpoint(tx: Transaction, endpoint: Endpoint): Promise<void> {
  await tx.insert(EndpointEntity, endpoint);
}

/** Writes what can change; ids, form and workspace never do. */
export async function updateEndpoint(tx: Transaction, endpoint: Endpoint): Promise<void> {
  const { id, workspaceId: _, formId: _form, createdAt: _at, ...changed } = endpoint;
  await tx.update(EndpointEntity, { id }, changed);
}

/**
 * Deletes every endpoint of a form with its secrets and headers. They are locked in the order of their ids, as by
 * whoever switches off several that are gone: neither waits for the other in a circle.
 * @returns the ids of those that went
 */
export async function deleteEndpointsOf(tx: Transaction, form: Form, at: Date): Promise<string[]> {
  await tx.query(LOCK_ALL, [form.workspaceId, form.id]);
  const { raw } = (await tx
    .createQueryBuilder()
    .update(EndpointEntity)
    .set({ deletedAt: at, updatedAt: at, version: () => 'version + 1' })
    .where(ofForm(form))
    .returning('id')
    .execute()) as { raw: { id: string }[] };
  const ids = raw.map((row) => row.id);
  await deleteSealedOf(tx, ids);
  return ids;
}

/** As the code sorts ids, whatever language the database sorts by. */
const LOCK_ALL = `
  SELECT FROM endpoints WHERE workspace_id = $1 AND form_id = $2 AND deleted_at IS NULL
  ORDER BY id COLLATE "C" FOR UPDATE`;

/**
 * Switches an endpoint off because its receiver answered 410, unless the endpoint has changed since the request was
 * signed: then the answer says nothing of the endpoint as it is now.
 */
export async function switchOffGone(
  tx: Transaction,
  endpointId: string,
  version: number,
  at: Date,
): Promise<Endpoint | null> {
  const { raw } = (await tx
    .createQueryBuilder()
    .update(EndpointEntity)
    .set({ enabled: false, disabledReason: 'gone', disabledAt: at, updatedAt: at, version: () => 'version + 1' })
    .where({ id: endpointId, version, enabled: true, deletedAt: IsNull() })
    .returning('id')
    .execute()) as { raw: unknown[] };
  return raw.length > 0 ? tx.findOneBy(EndpointEntity, { id: endpointId }) : null;
}

/** Whether the form has had this endpoint, and has it no more. False also for one that this database never had. */
export async function wasEndpointDeleted(tx: Transaction, formId: string, endpointId: string): Promise<boolean> {
  const [row] = (await tx.query(
    'SELECT EXISTS (SELECT FROM endpoints WHERE id = $1 AND form_id = $2 AND deleted_at IS NOT NULL) AS deleted',
    [endpointId, formId],
  )) as [{ deleted: boolean }];
  return row.deleted;
}
