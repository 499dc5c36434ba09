import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BenchStack } from '../bench-stack.js';
import { holdsNothing, isReady, stateOf, tells } from './ingest-state.js';
import { playClient } from './play-client.js';
import { randomClient, seededRandom } from './random-client.js';

/*
 * Plays random clients against a running ingest that stop anywhere, drip, lie about lengths or disappear. In the end
 * everything that ingest held for them must have been given back, its memory be flat, and it ready all the while.
 */

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '10000' },
    'at-once': { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    /** Another checkout of the product that is built, to compare with. */
    product: { type: 'string' },
  },
});
const [clients, atOnce] = [Number(values.clients), Number(values['at-once'])];
const WAVES = 5;
/** How much more memory the last wave may leave than the second: the first ones fill caches and pools. */
const FLAT_MIB = 64;
const QUIET_WITHIN_MS = 60_000;

const stack = await BenchStack.start({ REQUEST_TIMEOUT: '3s' }, values.product);
try {
  process.exitCode = (await play(stack)) ? 0 : 1;
} finally {
  await stack.stop();
}

async function play({ ingestUrl, healthUrls, adminKey }: BenchStack): Promise<boolean> {
  const healthUrl = healthUrls.get('ingest')!;
  const random = seededRandom(Number(values.seed));
  const watch = watchReadiness(healthUrl);
  const resident: number[] = [];
  let endedByIngest = 0;
  let quiet = true;
  for (let wave = 0; wave < WAVES; wave++) {
    endedByIngest += await playWave(Number(new URL(ingestUrl).port), clients / WAVES, random, adminKey);
    quiet = (await becomesQuiet(healthUrl)) && quiet;
    const state = await stateOf(healthUrl);
    resident.push(state.residentMiB);
    console.log(`after ${(clients / WAVES) * (wave + 1)} clients: ${JSON.stringify(state)}`);
  }
  const unready = await watch.stop();
  const status = await postOne(ingestUrl, adminKey);
  const grown = resident.at(-1)! - resident[1]!;
  console.log(`\n${clients} clients, ${endedByIngest} connections ended by ingest, seed ${values.seed}`);
  return [
    verdict('all that was held is given back', quiet, ''),
    verdict('memory is flat', grown < FLAT_MIB, `${grown.toFixed(0)} MiB more than after the second of ${WAVES} waves`),
    verdict('it was ready all the while', unready === 0, `${unready} of ${watch.asked()} times not`),
    verdict('it takes an event', status === 202, `status ${status}`),
  ].every(Boolean);
}

/** @returns how many connections ingest ended */
async function playWave(port: number, count: number, random: () => number, key: string): Promise<number> {
  let [left, ended] = [count, 0];
  const player = async (): Promise<void> => {
    while (left-- > 0) if (await playClient(port, randomClient(random, key))) ended += 1;
  };
  await Promise.all(Array.from({ length: atOnce }, player));
  return ended;
}

async function becomesQuiet(healthUrl: string): Promise<boolean> {
  const until = Date.now() + QUIET_WITHIN_MS;
  while (Date.now() < until) {
    const state = await stateOf(healthUrl);
    if (holdsNothing(state)) return true;
    if (!tells(state)) return false;
    await delay(250);
  }
  return false;
}

function watchReadiness(healthUrl: string) {
  let [asked, unready, stopped] = [0, 0, false];
  const watching = (async (): Promise<void> => {
    while (!stopped) {
      asked += 1;
      if (!(await isReady(healthUrl).catch(() => false))) unready += 1;
      await delay(200);
    }
  })();
  return {
    asked: () => asked,
    stop: async (): Promise<number> => {
      stopped = true;
      await watching;
      return unready;
    },
  };
}

async function postOne(ingestUrl: string, key: string): Promise<number> {
  const response = await fetch(`${ingestUrl}/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"event":"submission.created","form_id":"f_clients","submission_id":"s_1","fields":{}}',
  });
  await response.arrayBuffer();
  return response.status;
}

function verdict(what: string, holds: boolean, detail: string): boolean {
  console.log(`${holds ? 'yes' : 'NO '}  ${what}${detail === '' ? '' : ` (${detail})`}`);
  return holds;
}
