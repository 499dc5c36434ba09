import { Injectable } from '@nestjs/common';
import { Broker, QUEUES, TO_LOG, toQueue } from '@form-webhooks/broker';
import { encodeLogBatch, fenceHeaders, SCHEMA_VERSION } from '@form-webhooks/messages';
import { fenceIdOf, type Reconciliation } from '@form-webhooks/storage';

/** The broker as the reconciler sees it: for how long it has stood, and a fence through one of its queues. */
@Injectable()
export class FencedQueues {
  /** Of the clock that nobody sets. */
  private since = performance.now();

  constructor(private readonly broker: Broker) {
    const begin = (): Promise<void> => {
      this.since = performance.now();
      return Promise.resolve();
    };
    broker.publishing.addStep(begin);
    broker.consuming.addStep(begin);
  }

  /** For how long both connections have stood, ms; null while one is down or blocked. */
  upForMs(): number | null {
    const { publishing, consuming, blocked } = this.broker.status();
    return publishing && consuming && !blocked ? performance.now() - this.since : null;
  }

  /** Sends the fence of a phase through the queue that the phase is about. @throws PublishFailed */
  async sendFence({ id, phase }: Pick<Reconciliation, 'id' | 'phase'>, sentAt: number): Promise<void> {
    const { publisher } = this.broker;
    const fenceId = fenceIdOf(id, phase);
    if (phase === 'log') {
      const record = { kind: 'fence', fenceId, queue: QUEUES.deliveryLog, sentAt } as const;
      return publisher.publish(TO_LOG, { headers: { schema_version: SCHEMA_VERSION }, body: encodeLogBatch([record]) });
    }
    const queue = phase === 'due' ? QUEUES.due : QUEUES.deliveries;
    const headers = fenceHeaders({ fenceId, queue, sentAt });
    return publisher.publish(toQueue(queue), { headers, body: Buffer.alloc(0) });
  }
}
