import { setTimeout as wait } from 'node:timers/promises';
import type { BrokerUnderTest } from '../stage/broker-under-test.js';
import type { DeliveryLogReader } from './delivery-log.js';

const LOOK_MS = 500;
const SAY_MS = 5_000;

/** What is left in a delay so long after all deliveries were settled has expired: no delay of a run is as long. */
const EXPIRED_AFTER_MS = 120_000;
/** By then what was released has been handled. */
const RELEASED_WITHIN_MS = 60_000;
const IS_DELAY = /^retry\./;

export interface Quiet {
  readonly reached: boolean;
  readonly tookMs: number;
  /** Expired messages that the broker handed on only when their queues got other leaders. */
  readonly strandedMessages: number;
  /** What was still open, or lies where nothing should. */
  readonly left: readonly string[];
}

/**
 * Waits until so many deliveries are in the log, all that are there are settled, and no queue holds a message; `left` says
 * what isn't when time is up. Meanwhile it says every few seconds what is open, and in which queues: a delivery that is
 * open and in no queue is lost.
 *
 * What a broker keeps in delays that have ended is released as an operator does it: by other leaders (trap 19).
 */
export async function untilQuiet(
  log: DeliveryLogReader,
  broker: BrokerUnderTest,
  deliveries: number,
  withinMs: number,
  say: (line: string) => void,
): Promise<Quiet> {
  const began = Date.now();
  let said = began;
  let settledAt: number | undefined;
  let strandedMessages = 0;
  for (;;) {
    const unsettled = await unsettledIn(log, deliveries);
    settledAt = unsettled.length === 0 ? (settledAt ?? Date.now()) : undefined;
    const waiting = unsettled.length === 0 ? await waitingIn(broker) : [];
    const tookMs = Date.now() - began;
    if (unsettled.length === 0 && waiting.length === 0) return { reached: true, tookMs, strandedMessages, left: [] };
    if (tookMs > Math.max(withinMs, untilReleased(began, settledAt))) {
      const left = [...unsettled, ...(await waitingIn(broker)).map(described)];
      return { reached: left.length === 0, tookMs, strandedMessages, left };
    }
    if (strandedMessages === 0 && settledAt !== undefined && Date.now() - settledAt > EXPIRED_AFTER_MS) {
      strandedMessages = await release(broker, waiting, say);
    }
    if (Date.now() - said >= SAY_MS) {
      said = Date.now();
      say(`still open: ${[...unsettled, ...(await waitingIn(broker)).map(described)].join('; ')}`);
    }
    await wait(LOOK_MS);
  }
}

/** Where deliveries are settled late, there still has to be time to see what the broker keeps. */
const untilReleased = (began: number, settledAt: number | undefined): number =>
  settledAt === undefined ? 0 : settledAt - began + EXPIRED_AFTER_MS + RELEASED_WITHIN_MS;

/** @returns how many messages were stranded */
async function release(broker: BrokerUnderTest, all: readonly Waiting[], say: (line: string) => void): Promise<number> {
  const stranded = all.filter(({ queue }) => IS_DELAY.test(queue));
  if (stranded.length === 0) return 0;
  say(`expired, and kept by the broker: ${stranded.map(described).join('; ')}`);
  await broker.changeLeaders(stranded.map(({ queue }) => queue));
  return stranded.reduce((sum, { messages }) => sum + messages, 0);
}

interface Waiting {
  readonly queue: string;
  readonly messages: number;
  readonly trouble?: string;
}

const described = ({ queue, messages, trouble }: Waiting): string => trouble ?? `${messages} messages in ${queue}`;

async function unsettledIn(log: DeliveryLogReader, deliveries: number): Promise<string[]> {
  const states = await log.states();
  const of = (state: string): number => states.get(state) ?? 0;
  const settled = of('delivered') + of('failed') + of('cancelled');
  const known = settled + of('pending') + of('retrying');
  return [
    ...(known < deliveries ? [`${deliveries - known} of ${deliveries} deliveries are not in the log`] : []),
    ...(settled < known ? [`${of('pending')} deliveries are pending, ${of('retrying')} retrying`] : []),
  ];
}

/** On a machine that is busy a command of the broker may not end in time: that is asked again, like what waits. */
async function waitingIn(broker: BrokerUnderTest): Promise<Waiting[]> {
  try {
    return [...(await broker.depths())].map(([queue, messages]) => ({ queue, messages }));
  } catch (error) {
    return [{ queue: '', messages: 0, trouble: `the broker did not say what waits: ${(error as Error).message}` }];
  }
}
