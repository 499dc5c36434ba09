import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '@form-webhooks/local';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deliveryIdOf } from '../support/form-traffic.js';
import { Receiver, type Behaviour } from '../support/receiver.js';
import { Stack, type ServiceName } from '../support/stack.js';
import { StackLog } from '../support/stack-log.js';

/*
 * The wall clock of one service steps while it runs, as when somebody sets a machine's. The broker counts the delays, so
 * no retry comes early or in a storm. A dispatcher that is a month ahead, or an ingest a month behind, takes what fails
 * once for too old: early by the step, and not more.
 */

const PRELOAD = join(import.meta.dirname, '../survive/dist/faults/clock-preload.js');
const HOUR_MS = 3_600_000;
const MONTH_MS = 31 * 24 * HOUR_MS;
const RETRY_MS = 150;
const FORM = 'f_clocks';
const WAIT = { timeout: 30_000, interval: 25 };
vi.setConfig({ testTimeout: 60_000 });

const folder = temporaryFolder('form-webhooks-clocks-');
const clockFile = join(folder.path, 'clock');
const arrivals = new Map<string, number[]>();
let stack: Stack;
let receiver: Receiver;

/** Each delivery is received at its second attempt. */
const secondTime: Behaviour = (response, request) => {
  const times = arrivals.get(deliveryIdOf(request)) ?? [];
  times.push(performance.now());
  arrivals.set(deliveryIdOf(request), times);
  response.writeHead(times.length === 1 ? 503 : 200).end();
};

beforeAll(async () => {
  writeFileSync(clockFile, '0');
  receiver = await Receiver.start();
  stack = await Stack.start({
    env: {
      NODE_OPTIONS: `--import ${PRELOAD}`,
      SURVIVE_CLOCK_FILE: clockFile,
      RETRY_SCHEDULE: Array(5).fill(`${RETRY_MS}ms`).join(','),
    },
  });
  await stack.registerForm(FORM);
  await stack.createEndpoint(FORM, receiver.url('/clocks', secondTime));
});

afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
  folder.remove();
});

async function stepClock(name: ServiceName, offsetMs: number): Promise<void> {
  writeFileSync(clockFile, String(offsetMs));
  const { pid, healthPort } = stack.service(name);
  process.kill(pid!, 'SIGUSR2');
  // An answer shows that the process has gone on since.
  for (let n = 0; n < 3; n++) await (await fetch(`http://127.0.0.1:${healthPort}/health/live`)).text();
}

async function postOne(submission: string): Promise<void> {
  const text = `{"event":"submission.created","form_id":"${FORM}","submission_id":"${submission}","fields":{}}`;
  expect((await stack.post(text)).status).toBe(202);
}

describe.each<ServiceName>(['config', 'dispatcher', 'ingest'])('the clock of %s', (name) => {
  it.each([
    ['an hour ahead', HOUR_MS],
    ['an hour behind', -HOUR_MS],
    ['a month ahead', MONTH_MS],
    ['a month behind', -MONTH_MS],
  ])('%s loses nothing, sends nothing early, and begins no storm', async (_, offsetMs) => {
    arrivals.clear();
    const log = await StackLog.open(stack);
    await stepClock(name, offsetMs);
    try {
      await postOne(`s_${name}_${offsetMs < 0 ? 'm' : 'p'}${Math.abs(offsetMs)}`);
      const tooOld = (name === 'dispatcher' && offsetMs === MONTH_MS) || (name === 'ingest' && offsetMs === -MONTH_MS);
      const posts = tooOld ? 1 : 2;
      await vi.waitFor(() => expect([...arrivals.values()].map((times) => times.length)).toEqual([posts]), WAIT);
      await delay(2 * RETRY_MS);
      const [times] = [...arrivals.values()] as [number[]];
      expect(times).toHaveLength(posts);
      if (posts === 2) expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(RETRY_MS - 5);
      // Ingest dates its events by its own clock: of a day that the log doesn't have, the records are parked.
      if (name === 'ingest' && Math.abs(offsetMs) === MONTH_MS) return;
      const [deliveryId] = [...arrivals.keys()];
      const ended = tooOld ? `state = 'failed' AND reason = 'expired'` : `state = 'delivered'`;
      await vi.waitFor(async () => expect(await log.idsWhere(FORM, ended)).toContain(deliveryId), WAIT);
    } finally {
      await stepClock(name, 0);
    }
  });
});
