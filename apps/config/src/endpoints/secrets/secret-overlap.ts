import { Injectable } from '@nestjs/common';
import { MAX_OVERLAP_SECONDS } from '@form-webhooks/http-api';
import {
  endPreviousSecret,
  findPreviousSecret,
  lockEndpoint,
  updateEndpoint,
  type Actor,
  type Endpoint,
  type Form,
  type SecretFacts,
} from '@form-webhooks/storage';
import { Changes } from '../../changes/changes.js';
import { notFound } from '../../http/problems.js';
import { auditEndpoint } from '../endpoint-audit.js';

/** Moves the end of an earlier secret's overlap: at once, sooner or, as far as an overlap may last, later. */
@Injectable()
export class SecretOverlap {
  constructor(private readonly changes: Changes) {}

  /**
   * @param seconds from now on, as far as `overlapEnd` allows; 0 ends it at once
   * @throws Problem 404, also for one that has ended
   */
  end(by: Actor, form: Form, id: string, secretId: string, seconds: number): Promise<void> {
    return this.changes.commit(by, async (change) => {
      const endpoint = await lockEndpoint(change.tx, form, id);
      if (!endpoint) throw notFound('endpoint');
      const before = await findPreviousSecret(change.tx, id, secretId, change.at);
      if (!before) throw notFound('secret');
      const expiresAt = overlapEnd(before, seconds, change.at);
      await endPreviousSecret(change.tx, before.id, expiresAt, change.at);
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

/**
 * When an earlier secret ends that is to sign for so many seconds from now on: no later than the longest overlap after
 * it was replaced, or it could be made to sign for ever, a week at a time. An end that lies later is kept at most.
 */
export function overlapEnd(
  { stateSince, createdAt, expiresAt }: Pick<SecretFacts, 'stateSince' | 'createdAt' | 'expiresAt'>,
  seconds: number,
  now: Date,
): Date {
  const replacedAt = (stateSince ?? createdAt).getTime();
  const latest = Math.max(replacedAt + MAX_OVERLAP_SECONDS * 1_000, expiresAt?.getTime() ?? 0);
  return new Date(Math.min(now.getTime() + seconds * 1_000, latest));
}
