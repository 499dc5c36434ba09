import { expect, inject } from 'vitest';
import { virtualHostOf } from './virtual-host.js';

/**
 * The run's broker, as `amqp://…` of a virtual host that belongs to this spec file alone: files run side by side, each
 * declares, fills and deletes the product's queues by their one and only names, and a message that one file left on a
 * delay would come out in the next.
 *
 * @param nth of the cases that the file plays side by side; a broker of the user's own has one virtual host for all, and
 * they have to be played one after the other
 */
export function brokerUrl(nth = 0): string {
  const { url, hasOthers } = inject('broker');
  return hasOthers ? `${url}/${virtualHostOf(expect.getState().testPath!, nth)}` : url;
}

/** Plays the cases side by side where each has a virtual host of its own. A failure names its case. */
export async function playCases<T>(cases: readonly T[], play: (one: T, nth: number) => Promise<void>): Promise<void> {
  const playNamed = (one: T, nth: number): Promise<void> =>
    play(one, nth).catch((error: unknown) => {
      throw new Error(`${JSON.stringify(one)}: ${(error as Error).message}`, { cause: error });
    });
  if (inject('broker').hasOthers) return expectAll(await Promise.allSettled(cases.map(playNamed)));
  for (const [nth, one] of cases.entries()) await playNamed(one, nth);
}

function expectAll(played: readonly PromiseSettledResult<void>[]): void {
  for (const one of played) if (one.status === 'rejected') throw one.reason;
}
