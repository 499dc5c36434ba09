import { Injectable } from '@nestjs/common';
import type { RegisterFormDto } from '@form-webhooks/http-api';
import { conflict } from '@form-webhooks/http-edge';
import {
  deleteEndpointsOf,
  insertForm,
  lockForm,
  updateForm,
  type Actor,
  type FieldChange,
  type Form,
} from '@form-webhooks/storage';
import { Changes } from '../changes/changes.js';
import type { Change } from '../changes/change.js';
import { formNotFound } from '../http/problems.js';

/** The forms that the form service tells us of. */
@Injectable()
export class FormRegistry {
  constructor(private readonly changes: Changes) {}

  /** Registers a form, renames it, or takes it back after its removal (without the endpoints it had). */
  register(by: Actor, id: string, given: RegisterFormDto): Promise<{ form: Form; created: boolean }> {
    return this.changes.commit(by, async (change) => {
      const fresh: Form = {
        id,
        workspaceId: given.workspace_id,
        name: given.name,
        createdAt: change.at,
        updatedAt: change.at,
        deletedAt: null,
      };
      if (await insertForm(change.tx, fresh)) {
        await this.tell(change, fresh, 'form.registered', [{ field: 'name', old: null, new: given.name }]);
        return { form: fresh, created: true };
      }
      const form = await lockForm(change.tx, id);
      if (!form || form.workspaceId !== given.workspace_id) {
        throw conflict('The form belongs to another workspace.', 'other_workspace');
      }
      return { form: await this.update(change, form, given.name), created: form.deletedAt !== null };
    });
  }

  /** Removes a form with its endpoints; what is in flight for it ends `cancelled` when it falls due. */
  async remove(by: Actor, { id }: Form): Promise<void> {
    await this.changes.commit(by, async (change) => {
      const form = await lockForm(change.tx, id);
      if (!form || form.deletedAt) throw formNotFound();
      const endpoints = await deleteEndpointsOf(change.tx, form, change.at);
      await updateForm(change.tx, { ...form, updatedAt: change.at, deletedAt: change.at });
      await this.tell(change, form, 'form.removed', [{ field: 'endpoints', old: endpoints, new: [] }]);
    });
  }

  private async update(change: Change, form: Form, name: string): Promise<Form> {
    if (form.name === name && !form.deletedAt) return form;
    const renamed: Form = { ...form, name, updatedAt: change.at, deletedAt: null };
    await updateForm(change.tx, renamed);
    const action = form.deletedAt ? 'form.registered' : 'form.updated';
    await this.tell(change, renamed, action, [{ field: 'name', old: form.name, new: name }]);
    return renamed;
  }

  private async tell(change: Change, form: Form, action: string, changes: readonly FieldChange[]): Promise<void> {
    change.audit({
      workspaceId: form.workspaceId,
      formId: form.id,
      action,
      target: { type: 'form', id: form.id },
      changes,
    });
    await change.announce({ kind: 'form', form_id: form.id });
  }
}
