import { setTimeout as wait } from 'node:timers/promises';
import type { BrokerUnderTest } from '../stage/broker-under-test.js';
import type { DeliveryLogReader } from './delivery-log.js';

const LOOK_MS = 500;
const SAY_MS = 5_000;

export interface Quiet {
  readonly reached: boolean;
  readonly tookMs: number;
  /** What was still open, or lies where nothing should. */
  readonly left: readonly string[];
}

/**
 * Waits until so many deliveries are in the log, all that are there are settled, and no queue holds a message; `left` says what isn't when time is up. Meanwhile
 * it says every few seconds what is open, and in which queues: a delivery that is open and in no queue is lost.
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
  for (;;) {
    const unsettled = await unsettledIn(log, deliveries);
    const waiting = unsettled.length === 0 ? await waitingIn(broker) : [];
    const reached = unsettled.length === 0 && waiting.length === 0;
    if (reached) return { reached, tookMs: Date.now() - began, left: [] };
    if (Date.now() - began > withinMs) {
      const left = [...unsettled, ...(await waitingIn(broker))];
      return { reached: left.length === 0, tookMs: Date.now() - began, left };
    }
    if (Date.now() - said >= SAY_MS) {
      said = Date.now();
      say(`still open: ${[...unsettled, ...(await waitingIn(broker))].join('; ')}`);
    }
    await wait(LOOK_MS);
  }
}

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
async function waitingIn(broker: BrokerUnderTest): Promise<string[]> {
  try {
    return [...(await broker.depths())].map(([queue, messages]) => `${messages} messages in ${queue}`);
  } catch (error) {
    return [`the broker did not say what waits: ${(error as Error).message}`];
  }
}
