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
import { fenceMessage, readFenceMessage, type FenceMessage } from '@form-webhooks/messages';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
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
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * At once, whatever waits here: it says only that all before it has been taken out of the queue.
   * @throws UnreadableMessage
   */
  async pass({ queue, headers }: IncomingMessage): Promise<Verdict> {
    const fence = readFenceMessage(headers);
    const large = LARGE_OF[queue];
    const isThrough = large === undefined || (await this.passOn(fence, large)) === 'not_to_be_had';
    if (isThrough) await this.log.record({ kind: 'fence', ...fence });
    return DONE;
  }

  /**
   * `not_to_be_had` is a queue whose messages come back, as while the node of a classic one is away: the reconciler waits
   * for no node. What lies there then is published again, and the log knows it by the time that the node is back. A fence
   * that is not passed on for another reason ends here, since it may not be told of what is in that queue; the reconciler
   * sends another one after its grace.
   */
  private async passOn(fence: FenceMessage, queue: string): Promise<'passed' | 'not_to_be_had' | 'dropped'> {
    try {
      await this.publisher.publish(toQueue(queue), fenceMessage(fence));
      return 'passed';
    } catch (error) {
      if (!(error instanceof PublishFailed)) throw error;
      if (error.isRefusal) return 'not_to_be_had';
      this.logger.warn(
        { queue, code: error.code },
        'a fence of the reconciler was not passed on: it sends another one',
      );
      return 'dropped';
    }
  }
}
