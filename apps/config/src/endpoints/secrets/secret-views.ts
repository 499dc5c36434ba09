import { Injectable } from '@nestjs/common';
import type { SecretDto, SecretStateDto } from '@form-webhooks/http-api';
import { DataSource, findEndpoint, listSecrets, type Form, type SecretFacts } from '@form-webhooks/storage';
import { notFound } from '../../http/problems.js';

/** What is shown of an endpoint's signing secrets: never one of them. */
@Injectable()
export class SecretViews {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws Problem 404 */
  async of(form: Form, endpointId: string): Promise<SecretStateDto> {
    const tx = this.dataSource.manager;
    if (!(await findEndpoint(tx, form, endpointId))) throw notFound('endpoint');
    const secrets = await listSecrets(tx, endpointId, new Date());
    const current = secrets.find(({ state }) => state === 'current');
    // Deleted in this moment, with its endpoint.
    if (!current) throw notFound('endpoint');
    const prepared = secrets.filter(({ state }) => state === 'prepared').map(showSecret);
    const previous = secrets.filter(({ state }) => state === 'previous').toSorted(byEnd);
    return {
      current: showSecret(current),
      prepared: prepared[0] ?? null,
      previous: previous.map(showSecret),
      prepare_ends: prepared,
      regenerate_ends: [showSecret(current)],
    };
  }
}

export const showSecret = (secret: SecretFacts): SecretDto => ({
  id: secret.id,
  hint: secret.hint,
  created_at: secret.createdAt.toISOString(),
  created_by: secret.createdBy,
  since: (secret.stateSince ?? secret.createdAt).toISOString(),
  expires_at: secret.expiresAt?.toISOString() ?? null,
});

const byEnd = (a: SecretFacts, b: SecretFacts): number => a.expiresAt!.getTime() - b.expiresAt!.getTime();
