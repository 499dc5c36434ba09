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
import type { Change } from '../changes/change.js';

/** Each is one more signature in every request. */
const MAX_PREVIOUS_SECRETS = 5;

/** A secret in the clear, on its way to the one answer that shows it. */
export interface ShownSecret {
  readonly plaintext: string;
  readonly hint: string;
}

/** The change that a secret is made or moved in. */
export type Moment = Pick<Change, 'tx' | 'at' | 'by'>;

/** Makes, seals and moves signing secrets; their plaintext leaves only as a return value. */
@Injectable()
export class SigningSecrets {
  constructor(private readonly sealing: SealingSettings) {}

  /** A fresh secret in the given state; one that was in that state is gone. */
  async create(
    { tx, at, by }: Moment,
    endpoint: Endpoint,
    state: Exclude<SecretState, 'previous'>,
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
      createdBy: by.actor,
      stateSince: at,
    };
    await deleteSecret(tx, endpoint.id, state);
    await insertSecret(tx, secret);
    return { plaintext, hint: secret.hint };
  }

  /**
   * Makes the prepared secret, or else a fresh one, the signing secret. The old one stays valid for the overlap and is
   * gone at once without one. Lock the endpoint first.
   * @returns the plaintext if the secret has never been shown, else null; and the secret that has ended with it, if one has
   * @throws Problem 409 if as many earlier ones as may be are still valid
   */
  async rotate(
    change: Moment,
    endpoint: Endpoint,
    overlapSeconds: number,
  ): Promise<{ plaintext: string | null; ended: EndpointSecret | null }> {
    const { tx, at } = change;
    const ended = await this.retire(tx, endpoint.id, overlapSeconds, at);
    const prepared = await findSecret(tx, endpoint.id, 'prepared');
    if (!prepared) return { plaintext: (await this.create(change, endpoint, 'current')).plaintext, ended };
    await moveSecret(tx, prepared.id, { state: 'current', stateSince: at, expiresAt: null });
    return { plaintext: null, ended };
  }

  /** Those that were retired before keep the end that they were given: receivers were promised it. */
  private async retire(
    tx: Transaction,
    endpointId: string,
    overlapSeconds: number,
    at: Date,
  ): Promise<EndpointSecret | null> {
    await deleteExpiredSecrets(tx, endpointId, at);
    const current = await findSecret(tx, endpointId, 'current');
    if (!current) return null;
    if (overlapSeconds === 0) {
      await deleteSecret(tx, endpointId, 'current');
      return current;
    }
    if ((await countPreviousSecrets(tx, endpointId, at)) >= MAX_PREVIOUS_SECRETS) throw tooManyValid();
    const expiresAt = new Date(at.getTime() + overlapSeconds * 1_000);
    await moveSecret(tx, current.id, { state: 'previous', stateSince: at, expiresAt });
    return null;
  }
}

const tooManyValid = (): Problem =>
  conflict(
    `${MAX_PREVIOUS_SECRETS} earlier secrets are still valid; wait until one has ended, or ask for no overlap.`,
    'limit_reached',
  );
