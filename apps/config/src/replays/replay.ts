import { Injectable } from '@nestjs/common';
import { conflict, type Problem } from '@form-webhooks/http-edge';
import {
  cancelWaiting,
  countDeliveries,
  findEndpoint,
  lockReplayable,
  lockRetryable,
  lockWaiting,
  startReplay,
  type Actor,
  type Form,
  type NotWaiting,
  type ReplayableDelivery,
  type ReplayRefusal,
  type Transaction,
} from '@form-webhooks/storage';
import { Changes } from '../changes/changes.js';
import { notFound } from '../http/problems.js';

const REFUSALS: Readonly<Record<Exclude<ReplayRefusal | NotWaiting, 'unknown'>, string>> = {
  not_final: 'The delivery is not final yet: it is still being attempted. If it waits, retry it now.',
  final: 'The delivery is final: it waits for nothing. Replay it instead.',
  due_now: 'The delivery waits for nothing: it is due and on its way to its first attempt.',
  test_send: 'A test send can not be sent again. Send another test instead.',
  payload_erased: 'The data of the submission was erased, so there is nothing left to send.',
  payload_missing: 'The payload of the delivery is not in the log.',
};

/** Finds the delivery and locks it. @returns why it can't be sent again */
type LockForRepeat = (
  tx: Transaction,
  formId: string,
  deliveryId: string,
) => Promise<ReplayableDelivery | ReplayRefusal | NotWaiting>;

/** Sends a delivery again: the same delivery id, the next generation. */
@Injectable()
export class Replay {
  constructor(private readonly changes: Changes) {}

  /** What is final. @throws Problem 404, 409 */
  one(by: Actor, form: Form, deliveryId: string): Promise<void> {
    return this.sendAgain(by, form, deliveryId, { lock: lockReplayable, action: 'delivery.replayed' });
  }

  /** What waits, now instead of then. @throws Problem 404, 409 */
  retryNow(by: Actor, form: Form, deliveryId: string): Promise<void> {
    return this.sendAgain(by, form, deliveryId, { lock: lockRetryable, action: 'delivery.retried' });
  }

  /** Calls off what waits. @throws Problem 404, 409 */
  async cancel(by: Actor, form: Form, deliveryId: string): Promise<void> {
    await this.changes.commit(by, async (change) => {
      const waiting = await lockWaiting(change.tx, form.id, deliveryId);
      if (typeof waiting === 'string') throw refused(waiting);
      await countDeliveries(change.tx, [await cancelWaiting(change.tx, waiting, change.at.getTime())]);
      const changes = [{ field: 'state', old: waiting.standing.state, new: 'cancelled' }];
      change.audit({ ...targetOf(form, deliveryId), action: 'delivery.cancelled', changes });
    });
  }

  private async sendAgain(
    by: Actor,
    form: Form,
    deliveryId: string,
    { lock, action }: { readonly lock: LockForRepeat; readonly action: string },
  ): Promise<void> {
    await this.changes.commit(by, async (change) => {
      const replayable = await lock(change.tx, form.id, deliveryId);
      if (typeof replayable === 'string') throw refused(replayable);
      const endpoint = await findEndpoint(change.tx, form, replayable.delivery.identity.endpointId);
      if (!endpoint) throw conflict('The endpoint of the delivery was deleted.', 'endpoint_deleted');
      if (!endpoint.enabled) throw conflict('The endpoint of the delivery is switched off.', 'endpoint_disabled');
      const started = await startReplay(change.tx, replayable, change.at.getTime());
      await change.deliver(started.message);
      await countDeliveries(change.tx, [started.change]);
      const { generation } = replayable.delivery.standing.position;
      const changes = [{ field: 'generation', old: generation, new: replayable.nextGeneration }];
      change.audit({ ...targetOf(form, deliveryId), action, changes });
    });
  }
}

const targetOf = (form: Form, deliveryId: string) => ({
  workspaceId: form.workspaceId,
  formId: form.id,
  target: { type: 'delivery', id: deliveryId },
});

const refused = (why: ReplayRefusal | NotWaiting): Problem =>
  why === 'unknown' ? notFound('delivery') : conflict(REFUSALS[why], why);
