import { Inject, Injectable } from '@nestjs/common';
import {
  DONE,
  PublishFailed,
  QUEUES,
  SafePublisher,
  toQueue,
  type IncomingMessage,
  type Verdict,
} from '@form-webhooks/broker';
import { fenceHeaders, readFenceMessage, type FenceMessage } from '@form-webhooks/messages';
import { DeliveryLog } from '../record/delivery-log.js';

/** Where what is larger waits of what a queue holds: a fence that came out of the one says nothing of the other. */
const LARGE_OF: Readonly<Record<string, string>> = {
  [QUEUES.deliveries]: QUEUES.largeDeliveries,
  [QUEUES.due]: QUEUES.largeDue,
};

/** Fences of the reconciler, which go through a queue of deliveries and then through that of its large ones. */
@Injectable()
export class DeliveryFences {
  constructor(
    private readonly log: DeliveryLog,
    @Inject(SafePublisher) private readonly publisher: Pick<SafePublisher, 'publish'>,
  ) {}

  /**
   * At once, whatever waits here: it says only that all before it has been taken out of the queue.
   * @throws UnreadableMessage
   */
  async pass({ queue, headers }: IncomingMessage): Promise<Verdict> {
    const fence = readFenceMessage(headers);
    const large = LARGE_OF[queue];
    if (large === undefined || !(await this.passOn(fence, large))) await this.log.record({ kind: 'fence', ...fence });
    return DONE;
  }

  /**
   * False if the queue is not to be had, as while the node of a classic one is away: the reconciler waits for no node.
   * What lies there then is published again, and the log knows it by the time that the node is back.
   */
  private async passOn(fence: FenceMessage, queue: string): Promise<boolean> {
    try {
      await this.publisher.publish(toQueue(queue), { headers: fenceHeaders(fence), body: NO_BODY });
      return true;
    } catch (error) {
      if (error instanceof PublishFailed) return false;
      throw error;
    }
  }
}

const NO_BODY = Buffer.alloc(0);
