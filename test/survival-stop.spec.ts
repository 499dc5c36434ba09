import { join } from 'node:path';
import { RabbitMqServer, temporaryFolder } from '@form-webhooks/local';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Receiver, type Behaviour } from './support/receiver.js';
import { Stack } from './support/stack.js';

/*
 * A platform stops services at any time, also in an outage. One that waits for the outage's end is killed by it.
 */

const WAIT = { timeout: 30_000, interval: 25 };
const STOP_TIMEOUT_MS = 2_000;
const POSTS = 20;

const folder = temporaryFolder('form-webhooks-stop-');
let broker: RabbitMqServer;
let receiver: Receiver;
const answers: (() => void)[] = [];

/** Answers when the test says so. */
const held: Behaviour = (response) => void answers.push(() => response.writeHead(503).end());

beforeAll(async () => {
  broker = new RabbitMqServer({ folder: join(folder.path, 'rabbitmq') });
  await broker.start();
  receiver = await Receiver.start();
});

afterAll(async () => {
  await receiver?.stop();
  await broker?.stop();
  folder.remove();
});

/** The services, with attempts in flight at a receiver that has not answered yet. */
async function stackAtWork(formId: string): Promise<Stack> {
  const stack = await Stack.start({
    rabbitmqUrl: broker.url,
    env: { STOP_TIMEOUT: `${STOP_TIMEOUT_MS}ms`, ATTEMPT_TIMEOUT: `${STOP_TIMEOUT_MS}ms` },
  });
  await stack.registerForm(formId);
  await stack.createEndpoint(formId, receiver.url(`/${formId}`, held));
  answers.length = 0;
  for (let n = 0; n < POSTS; n += 1) {
    const { status } = await stack.post(
      `{"event":"submission.created","form_id":"${formId}","submission_id":"s_${n}","fields":{}}`,
    );
    expect(status).toBe(202);
  }
  await vi.waitFor(() => expect(answers).toHaveLength(POSTS), WAIT);
  return stack;
}

const outages: [string, string, () => Promise<unknown>, () => Promise<unknown>][] = [
  ['dead', 'f_dead', () => broker.kill(), () => broker.start()],
  [
    'frozen',
    'f_frozen',
    async () => process.kill(broker.pid!, 'SIGSTOP'),
    async () => process.kill(broker.pid!, 'SIGCONT'),
  ],
  [
    'in a memory alarm',
    'f_alarm',
    () => broker.ctl('set_vm_memory_high_watermark', '0.00001'),
    () => broker.ctl('set_vm_memory_high_watermark', '0.4'),
  ],
];

it.each(outages)('every service stops by itself while the broker is %s', async (_what, formId, begin, end) => {
  const stack = await stackAtWork(formId);
  await begin();
  try {
    // What follows from these attempts can't be made safe any more.
    for (const answer of answers) answer();
    const codes = await Promise.all(stack.processes.map((process) => process.stop()));
    expect(codes).toEqual([0, 0, 0]);
  } finally {
    await end();
    await stack.stop();
  }
});
