import { Injectable } from '@nestjs/common';
import {
  findSecret,
  lockEndpoint,
  updateEndpoint,
  type Actor,
  type Endpoint,
  type Form,
  type SecretFacts,
} from '@form-webhooks/storage';
import { Changes } from '../changes/changes.js';
import { notFound } from '../http/problems.js';
import { auditEndpoint } from './endpoint-audit.js';
import { SigningSecrets } from './signing-secrets.js';

/** What a step of the rotation came to. */
export interface Rotated<Secret> {
  readonly endpoint: Endpoint;
  /** In the clear; null if it has been shown before. */
  readonly secret: Secret;
  /** What is worth nothing any more since this step. */
  readonly ended: readonly SecretFacts[];
}

/** Replaces an endpoint's signing secret in one step, or in two so that the receiver can be updated in between. */
@Injectable()
export class SecretRotation {
  constructor(
    private readonly changes: Changes,
    private readonly secrets: SigningSecrets,
  ) {}

  /** Shows the next secret, which has no effect yet. Preparing again replaces what was prepared before. */
  prepare(by: Actor, form: Form, id: string): Promise<Rotated<string>> {
    return this.changes.commit(by, async (change) => {
      const endpoint = await lockEndpoint(change.tx, form, id);
      if (!endpoint) throw notFound('endpoint');
      const replaced = await findSecret(change.tx, endpoint.id, 'prepared');
      const { plaintext } = await this.secrets.create(change, endpoint, 'prepared');
      auditEndpoint(change, endpoint, 'secret.prepared', [{ field: 'prepared_secret' }]);
      return { endpoint, secret: plaintext, ended: replaced ? [replaced] : [] };
    });
  }

  /** Signs with the new secret from the next attempt on. The secret is null if it has been shown before. */
  regenerate(by: Actor, form: Form, id: string, overlapSeconds: number): Promise<Rotated<string | null>> {
    return this.changes.commit(by, async (change) => {
      const endpoint = await lockEndpoint(change.tx, form, id);
      if (!endpoint) throw notFound('endpoint');
      const { plaintext, ended } = await this.secrets.rotate(change, endpoint, overlapSeconds);
      const updated: Endpoint = { ...endpoint, version: endpoint.version + 1, updatedAt: change.at };
      await updateEndpoint(change.tx, updated);
      const changes = [{ field: 'secret' }, { field: 'overlap_seconds', new: overlapSeconds }];
      auditEndpoint(change, updated, 'secret.regenerated', changes);
      await change.announce({ kind: 'form', form_id: form.id });
      return { endpoint: updated, secret: plaintext, ended: ended ? [ended] : [] };
    });
  }
}
