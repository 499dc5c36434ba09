import { setTimeout as wait } from 'node:timers/promises';
import type { Fault, Scene } from './fault.js';

const EVENTS = 20_000;
const WITHIN_MS = 900_000;
const LOOK_MS = 2_000;
const CANARY_WITHIN_MS = 60_000;

/**
 * One form sends 20,000 events as fast as they are taken, while the others send as always. What the others wait
 * meanwhile stands in the report; events of a form that is quiet otherwise are timed besides.
 */
const flood: Fault = {
  kind: 'a flood from one form',
  needs: 'a flood',
  async strike(scene) {
    const began = performance.now();
    const accepted = scene.flood.send(EVENTS, WITHIN_MS).then(() => performance.now() - began);
    const quiet = await flyUntil(scene, accepted);
    const took = (ms: number): string => `${(ms / 1_000).toFixed(0)} s`;
    scene.healing();
    for (const deadline = Date.now() + WITHIN_MS; scene.flood.missing > 0;) {
      if (Date.now() > deadline) throw new Error(`${scene.flood.missing} of the flood have not arrived in time`);
      quiet.push(await scene.fly(CANARY_WITHIN_MS));
      await wait(LOOK_MS);
    }
    quiet.sort((a, b) => a - b);
    const [median, longest] = [quiet[Math.floor(quiet.length / 2)]!, quiet.at(-1)!];
    scene.note(
      `${EVENTS} accepted within ${took(await accepted)}, delivered within ${took(performance.now() - began)}`,
    );
    scene.note(`${quiet.length} events of a quiet form took ${median.toFixed(0)} ms, ${longest.toFixed(0)} at most`);
  },
};

/** @returns how long events of a quiet form took meanwhile, ms */
async function flyUntil(scene: Scene, done: Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  let isDone = false;
  const end = done.finally(() => (isDone = true));
  // It is awaited below; until an event has flown nobody else hears of a refusal, which would end the whole run.
  end.catch(() => undefined);
  while (!isDone) {
    took.push(await scene.fly(CANARY_WITHIN_MS));
    await Promise.race([end, wait(LOOK_MS)]);
  }
  await end;
  return took;
}

export const FLOOD_FAULTS: readonly Fault[] = [flood];
