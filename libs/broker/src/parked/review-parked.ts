import type { Channel, GetMessage } from 'amqplib';
import type { Broker } from '../broker.js';
import { ownHeaders } from '../publish/forwarding.js';
import { toQueue } from '../destinations.js';
import { propertiesOf } from './parked-message.js';
import { QueueScan } from './queue-scan.js';

/** What a review holds at a time. */
const REVIEWED_AT_A_TIME = 100;
const REVIEWED_BYTES = 8 * 1024 * 1024;

/** A parked message with its body, for whoever decides about it. */
export interface ReviewedMessage {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

export type ReviewVerdict = 'keep' | 'discard' | Buffer;

/** What becomes of each of these messages, in their order. */
export type Judge = (messages: readonly ReviewedMessage[]) => Promise<readonly ReviewVerdict[]>;

/**
 * Looks at every message of a queue, for data that must be removed: `judge` keeps each, discards it, or gives it another
 * body. It gets several messages at a time, so that it can ask for what it needs to know of all of them at once. Resolves
 * when what is kept is back in the queue, so that the next look sees it.
 * @param limit how many messages at most
 * @returns how many were discarded or rewritten
 */
export async function reviewParked(broker: Broker, queue: string, limit: number, judge: Judge): Promise<number> {
  const scan = new QueueScan(broker);
  let [changed, kept] = [0, 0];
  await scan.withChannel(async (channel) => {
    let held: GetMessage[] = [];
    const judgeHeld = async (): Promise<void> => {
      const verdicts = await judge(held.map(reviewed));
      for (const [index, message] of held.entries()) {
        if (await carryOut(broker, channel, { queue, message, verdict: verdicts[index]! })) changed += 1;
        else kept += 1;
      }
      held = [];
    };
    await scan.each(channel, queue, limit, async (message) => {
      held.push(message);
      const bytes = held.reduce((sum, { content }) => sum + content.length, 0);
      if (held.length >= REVIEWED_AT_A_TIME || bytes >= REVIEWED_BYTES) await judgeHeld();
    });
    if (held.length > 0) await judgeHeld();
  });
  await scan.untilBack(queue, kept);
  return changed;
}

/** A message with its body, for whoever decides about it. */
export const reviewed = ({ content: body, properties }: GetMessage): ReviewedMessage => ({
  headers: properties.headers ?? {},
  body,
});

interface Judged {
  readonly queue: string;
  readonly message: GetMessage;
  readonly verdict: ReviewVerdict;
}

/** @returns whether anything was changed: closing the channel hands back what is kept */
async function carryOut(broker: Broker, channel: Channel, { queue, message, verdict }: Judged): Promise<boolean> {
  if (verdict === 'keep') return false;
  if (verdict !== 'discard') {
    const headers = ownHeaders(message.properties.headers ?? {});
    await broker.publisher.publish(toQueue(queue), { ...propertiesOf(message, verdict), headers });
  }
  channel.ack(message);
  return true;
}
