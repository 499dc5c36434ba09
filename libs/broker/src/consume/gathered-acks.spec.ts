import type { ConsumeMessage } from 'amqplib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GatheredAcks } from './gathered-acks.js';

/** A channel as the broker keeps it: settling what isn't unacked closes it. */
class BrokerChannel {
  readonly unacked = new Set<number>();
  readonly requeued: number[] = [];
  frames = 0;
  isOpen = true;
  private tags = 0;

  hand(): ConsumeMessage {
    this.unacked.add(++this.tags);
    return { fields: { deliveryTag: this.tags } } as ConsumeMessage;
  }

  ack({ fields }: ConsumeMessage, allUpTo = false): void {
    this.frames += 1;
    this.remove(fields.deliveryTag);
    if (allUpTo) for (const tag of this.unacked) if (tag < fields.deliveryTag) this.unacked.delete(tag);
  }

  reject({ fields }: ConsumeMessage, requeue?: boolean): void {
    this.remove(fields.deliveryTag);
    if (requeue) this.requeued.push(fields.deliveryTag);
  }

  private remove(tag: number): void {
    if (!this.isOpen || !this.unacked.delete(tag)) throw new Error(`unknown delivery tag ${tag}`);
  }
}

function stage(messages: number) {
  const channel = new BrokerChannel();
  const acks = new GatheredAcks(channel, () => channel.isOpen);
  const take = (): ConsumeMessage => {
    const message = channel.hand();
    acks.take(message);
    return message;
  };
  return { channel, acks, take, taken: Array.from({ length: messages }, take) };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** What happens to a message that is in hand, whichever it is, or that another comes, or that a turn ends. */
const step = fc.oneof(
  fc.record({ what: fc.constantFrom('ack' as const, 'reject' as const), which: fc.nat() }),
  fc.record({ what: fc.constantFrom('take' as const, 'send' as const), which: fc.constant(0) }),
);

describe('acks of one channel', () => {
  it('are one frame for all that ended in a turn, if nothing before them is in hand', async () => {
    const { channel, acks, taken } = stage(5);
    for (const message of [3, 0, 2, 1]) acks.ack(taken[message]!);
    expect(channel.frames).toBe(0);
    await nextTurn();
    expect([channel.frames, [...channel.unacked]]).toEqual([1, [5]]);
    acks.ack(taken[4]!);
    await nextTurn();
    expect([channel.frames, [...channel.unacked]]).toEqual([2, []]);
  });

  it('wait for no message that came before and takes long', async () => {
    const { channel, acks, taken } = stage(5);
    for (const message of [0, 2, 4]) acks.ack(taken[message]!);
    await nextTurn();
    expect([channel.frames, [...channel.unacked]]).toEqual([3, [2, 4]]);
  });

  it('go out before their channel is closed, and not after', async () => {
    const { channel, acks, taken } = stage(3);
    acks.ack(taken[0]!);
    acks.send();
    expect([...channel.unacked]).toEqual([2, 3]);
    acks.ack(taken[1]!);
    channel.isOpen = false;
    acks.reject(taken[2]!);
    await nextTurn();
    expect([...channel.unacked]).toEqual([2, 3]);
  });

  it('settle what ended and nothing else, each message once, in whatever order messages come and end', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { channel, acks, take, taken: inHand } = stage(0);
        const rejected: number[] = [];
        for (const { what, which } of steps) {
          if (what === 'take') inHand.push(take());
          else if (what === 'send') acks.send();
          else if (inHand.length > 0) {
            const [message] = inHand.splice(which % inHand.length, 1);
            if (what === 'reject') rejected.push(message!.fields.deliveryTag);
            acks[what](message!);
          }
        }
        acks.send();
        expect([...channel.unacked]).toEqual(inHand.map(({ fields }) => fields.deliveryTag));
        expect(channel.requeued).toEqual(rejected);
      }),
    );
  });
});
