import { Injectable } from '@nestjs/common';
import { generateSecret, randomId, secretHint } from '@form-webhooks/domain';
import { conflict, type Problem } from '@form-webhooks/http-edge';
import { SealingSettings } from '@form-webhooks/settings';
import {
  countPreviousSecrets,
  deleteExpiredSecrets,
  deleteSecret,
  findSecret,
  insertSecret,
  moveSecret,
  type Endpoint,
  type EndpointSecret,
  type SecretState,
  type Transaction,
} from '@form-webhooks/storage';

/** Each is one more signature in every request. */
const MAX_PREVIOUS_SECRETS = 5;

/** A secret in the clear, on its way to the one answer that shows it. */
export interface ShownSecret {
  readonly plaintext: string;
  readonly hint: string;
}

/** Makes, seals and moves signing secrets; their plaintext leaves only as a return value. */
@Injectable()
export class SigningSecrets {
  constructor(private readonly sealing: SealingSettings) {}

  /** A fresh secret in the given state; one that was in that state is gone. */
  async create(
    tx: Transaction,
    endpoint: Endpoint,
    state: Exclude<SecretState, 'previous'>,
    at: Date,
  ): Promise<ShownSecret> {
    const plaintext = generateSecret();
    const id = randomId('sec');
    const context = { workspaceId: endpoint.workspaceId, endpointId: endpoint.id, secretId: id };
    const secret: EndpointSecret = {
      id,
      workspaceId: endpoint.workspaceId,
      endpointId: endpoint.id,
      sealed: this.sealing.keyRing.seal(plaintext, context),
      keyId: this.sealing.keyRing.activeKeyId,
      hint: secretHint(plaintext),
      state,
      expiresAt: null,
      createdAt: at,
    };
    await deleteSecret(tx, endpoint.id, state);
    await insertSecret(tx, secret);
    return { plaintext, hint: secret.hint };
  }

  /**
   * Makes the prepared secret, or else a fresh one, the signing secret. The old one stays valid for the overlap and is
   * gone at once without one. Lock the endpoint first.
   * @returns the plaintext if the secret has never been shown, else null
   * @throws Problem 409 if as many earlier ones as may be are still valid
   */
  async rotate(
    tx: Transaction,
    endpoint: Endpoint,
    overlapSeconds: number,
    at: Date,
  ): Promise<{ plaintext: string | null; hint: string }> {
    await this.retire(tx, endpoint.id, overlapSeconds, at);
    const prepared = await findSecret(tx, endpoint.id, 'prepared');
    if (!prepared) return this.create(tx, endpoint, 'current', at);
    await moveSecret(tx, prepared.id, { state: 'current', expiresAt: null });
    return { plaintext: null, hint: prepared.hint };
  }

  /** Those that were retired before keep the end that they were given: receivers were promised it. */
  private async retire(tx: Transaction, endpointId: string, overlapSeconds: number, at: Date): Promise<void> {
    await deleteExpiredSecrets(tx, endpointId, at);
    const current = await findSecret(tx, endpointId, 'current');
    if (!current) return;
    if (overlapSeconds === 0) return deleteSecret(tx, endpointId, 'current');
    if ((await countPreviousSecrets(tx, endpointId, at)) >= MAX_PREVIOUS_SECRETS) throw tooManyValid();
    const expiresAt = new Date(at.getTime() + overlapSeconds * 1_000);
    await moveSecret(tx, current.id, { state: 'previous', expiresAt });
  }
}

const tooManyValid = (): Problem =>
  conflict(
    `${MAX_PREVIOUS_SECRETS} earlier secrets are still valid; wait until one has ended, or ask for no overlap.`,
    'limit_reached',
  );
