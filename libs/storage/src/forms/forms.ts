import { IsNull } from 'typeorm';
import type { Transaction } from '../database/data-source.js';
import type { AfterRow } from '../database/after-row.js';
import { FormEntity } from './form.entity.js';

export type Form = Readonly<FormEntity>;

/**
 * A form as a caller may see it. Without a workspace (service keys) any form; with one, a form of another workspace is
 * as unknown as one that does not exist.
 */
export function findForm(tx: Transaction, id: string, workspaceId?: string): Promise<Form | null> {
  return tx.findOneBy(FormEntity, { ...within(id, workspaceId), deletedAt: IsNull() });
}

/** The same, also if it was removed: what was stored of it is still there. */
export function findFormOrRemoved(tx: Transaction, id: string, workspaceId?: string): Promise<Form | null> {
  return tx.findOneBy(FormEntity, within(id, workspaceId));
}

const within = (id: string, workspaceId: string | undefined) => ({
  id,
  ...(workspaceId === undefined ? {} : { workspaceId }),
});

/** Which forms are listed. */
export interface FormFilter {
  /** Undefined for those of all workspaces. */
  readonly workspaceId: string | undefined;
  /** Part of a name or an id, in any case. */
  readonly text: string | undefined;
}

/** Forms that were not removed, newest first. */
export function listForms(
  tx: Transaction,
  { workspaceId, text }: FormFilter,
  page: { readonly limit: number; readonly after: AfterRow | undefined },
): Promise<Form[]> {
  const query = tx
    .createQueryBuilder(FormEntity, 'form')
    .where('form.deletedAt IS NULL')
    .orderBy({ 'form.createdAt': 'DESC', 'form.id': 'DESC' })
    .take(page.limit);
  if (workspaceId !== undefined) query.andWhere('form.workspaceId = :workspaceId', { workspaceId });
  if (text !== undefined) query.andWhere(`strpos(lower(form.name || ' ' || form.id), lower(:text)) > 0`, { text });
  if (page.after) query.andWhere('(form.createdAt, form.id) < (:createdAt, :id)', page.after);
  return query.getMany();
}

/** The form's row, removed or not, locked until the transaction ends: changes of one form come one after another. */
export function lockForm(tx: Transaction, id: string): Promise<Form | null> {
  return tx.findOne(FormEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
}

/** @returns false if somebody else inserted the form in the meantime */
export async function insertForm(tx: Transaction, form: Form): Promise<boolean> {
  // Without a target every unique index counts: a race that another than the named one notices would be an error.
  const inserted: unknown[] = await tx.query(
    `INSERT INTO forms (id, workspace_id, name, created_at, updated_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING id`,
    [form.id, form.workspaceId, form.name, form.createdAt, form.updatedAt],
  );
  return inserted.length > 0;
}

export async function updateForm(tx: Transaction, form: Form): Promise<void> {
  const { name, updatedAt, deletedAt } = form;
  await tx.update(FormEntity, { id: form.id }, { name, updatedAt, deletedAt });
}
