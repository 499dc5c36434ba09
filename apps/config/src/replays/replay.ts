import { Injectable } from '@nestjs/common';
import { conflict, type Problem } from '@form-webhooks/http-edge';
import {
  countDeliveries,
  findEndpoint,
  lockReplayable,
  startReplay,
  type Actor,
  type Form,
  type ReplayRefusal,
} from '@form-webhooks/storage';
import { Changes } from '../changes/changes.js';
import { notFound } from '../http/problems.js';

const REFUSALS: Readonly<Record<Exclude<ReplayRefusal, 'unknown'>, string>> = {
  not_final: 'The delivery is not final yet: it is still being attempted.',
  test_send: 'A test send can not be replayed. Send another test instead.',
  payload_erased: 'The data of the submission was erased, so there is nothing left to send.',
  payload_missing: 'The payload of the delivery is not in the log.',
};

/** Sends a delivery again: the same delivery id, the next generation. */
@Injectable()
export class Replay {
  constructor(private readonly changes: Changes) {}

  /** @throws Problem 404, 409 */
  async one(by: Actor, form: Form, deliveryId: string): Promise<void> {
    await this.changes.commit(by, async (change) => {
      const replayable = await lockReplayable(change.tx, form.id, deliveryId);
      if (typeof replayable === 'string') throw refused(replayable);
      const endpoint = await findEndpoint(change.tx, form, replayable.delivery.identity.endpointId);
      if (!endpoint) throw conflict('The endpoint of the delivery was deleted.', 'endpoint_deleted');
      if (!endpoint.enabled) throw conflict('The endpoint of the delivery is switched off.', 'endpoint_disabled');
      const started = await startReplay(change.tx, replayable, change.at.getTime());
      await change.deliver(started.message);
      await countDeliveries(change.tx, [started.change]);
      const { generation } = replayable.delivery.standing.position;
      change.audit({
        workspaceId: form.workspaceId,
        formId: form.id,
        action: 'delivery.replayed',
        target: { type: 'delivery', id: deliveryId },
        changes: [{ field: 'generation', old: generation, new: replayable.nextGeneration }],
      });
    });
  }
}

const refused = (why: ReplayRefusal): Problem =>
  why === 'unknown' ? notFound('delivery') : conflict(REFUSALS[why], why);
