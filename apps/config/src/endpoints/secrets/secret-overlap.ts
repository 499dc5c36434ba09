import { Injectable } from '@nestjs/common';
import {
  endPreviousSecret,
  lockEndpoint,
  updateEndpoint,
  type Actor,
  type Endpoint,
  type Form,
} from '@form-webhooks/storage';
import { Changes } from '../../changes/changes.js';
import { notFound } from '../../http/problems.js';
import { auditEndpoint } from '../endpoint-audit.js';

/** Moves the end of an earlier secret's overlap: at once, sooner or later than was promised. */
@Injectable()
export class SecretOverlap {
  constructor(private readonly changes: Changes) {}

  /** @param seconds from now on; 0 ends it at once. @throws Problem 404, also for one that has ended */
  end(by: Actor, form: Form, id: string, secretId: string, seconds: number): Promise<void> {
    return this.changes.commit(by, async (change) => {
      const endpoint = await lockEndpoint(change.tx, form, id);
      if (!endpoint) throw notFound('endpoint');
      const expiresAt = new Date(change.at.getTime() + seconds * 1_000);
      const before = await endPreviousSecret(change.tx, { endpointId: id, secretId, expiresAt, now: change.at });
      if (!before) throw notFound('secret');
      const updated: Endpoint = { ...endpoint, version: endpoint.version + 1, updatedAt: change.at };
      await updateEndpoint(change.tx, updated);
      auditEndpoint(change, updated, 'secret.overlap_changed', [
        { field: 'secret', old: before.hint, new: before.hint },
        { field: 'expires_at', old: before.expiresAt?.toISOString() ?? null, new: expiresAt.toISOString() },
      ]);
      await change.announce({ kind: 'form', form_id: form.id });
    });
  }
}
