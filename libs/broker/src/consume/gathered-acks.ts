import type { Channel, ConsumeMessage } from 'amqplib';

/**
 * Settles the messages of one channel, each once. Those that end in one turn of the event loop, as all do whose records
 * one message took along, are acked in as few frames as can be: one for all before which nothing is in hand any more,
 * and one for each of the others. The broker writes each frame's ack to the logs of a queue's members.
 */
export class GatheredAcks {
  /** Delivery tags in the order in which the broker gave them. */
  private readonly inHand = new Set<number>();
  private ended: ConsumeMessage[] = [];

  /** @param isOpen whether the channel takes acks; on one that is gone they would throw, and are pointless */
  constructor(
    private readonly channel: Pick<Channel, 'ack' | 'reject'>,
    private readonly isOpen: () => boolean,
  ) {}

  /** To be told of each message as it comes: an ack for many must not cover one that is in hand. */
  take({ fields }: ConsumeMessage): void {
    this.inHand.add(fields.deliveryTag);
  }

  ack(message: ConsumeMessage): void {
    this.inHand.delete(message.fields.deliveryTag);
    this.ended.push(message);
    if (this.ended.length === 1) setImmediate(() => this.send());
  }

  /** Hands a message back to its queue, at once. */
  reject(message: ConsumeMessage): void {
    this.inHand.delete(message.fields.deliveryTag);
    if (this.isOpen()) this.channel.reject(message, true);
  }

  /** Sends what has gathered, as it must before its channel is closed. */
  send(): void {
    const ended = this.ended;
    this.ended = [];
    if (!this.isOpen()) return;
    const firstInHand = this.firstInHand();
    let last: ConsumeMessage | undefined;
    for (const message of ended) {
      const { deliveryTag } = message.fields;
      if (deliveryTag > firstInHand) this.channel.ack(message);
      else if (last === undefined || deliveryTag > last.fields.deliveryTag) last = message;
    }
    if (last) this.channel.ack(last, true);
  }

  private firstInHand(): number {
    for (const tag of this.inHand) return tag;
    return Infinity;
  }
}
