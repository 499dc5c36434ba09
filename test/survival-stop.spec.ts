import { join } from 'node:path';
import { RabbitMqServer, temporaryFolder } from '@form-webhooks/local';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { Receiver, type Behaviour } from './support/receiver.js';
import { Stack } from './support/stack.js';

/*
 * A platform stops services at any time, also in an outage. One that waits for the outage's end is killed by it.
 */

const WAIT = { timeout: 30_000, interval: 25 };
const STOP_TIMEOUT_MS = 2_000;
const POSTS = 20;

const folder = temporaryFolder('form-webhooks-stop-');
let receiver: Receiver;
const answers: (() => void)[] = [];

/** Answers when the test says so. */
const held: Behaviour = (response) => void answers.push(() => response.writeHead(503).end());

beforeAll(async () => {
  receiver = await Receiver.start();
});

afterAll(async () => {
  await receiver?.stop();
  folder.remove();
});

/**
 * A broker for one outage. What is left of one that was killed can't be emptied for the next: a quorum queue that is
 * deleted before it has its leader back can't be started any more once it is declared again [seen on 3.10.8].
 */
async function startBroker(name: string): Promise<RabbitMqServer> {
  const broker = new RabbitMqServer({ folder: join(folder.path, name) });
  onTestFinished(async () => {
    await broker.kill(); // in whatever state it is by then
    await broker.stop();
  });
  await broker.start();
  return broker;
}

/** The services, with attempts in flight at a receiver that has not answered yet. */
async function stackAtWork(formId: string, rabbitmqUrl: string): Promise<Stack> {
  const stack = await Stack.start({
    rabbitmqUrl,
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

const outages: { what: string; begin: (broker: RabbitMqServer) => Promise<unknown> }[] = [
  { what: 'dead', begin: (broker) => broker.kill() },
  { what: 'frozen', begin: async (broker) => process.kill(broker.pid!, 'SIGSTOP') },
  { what: 'alarmed', begin: (broker) => broker.ctl('set_vm_memory_high_watermark', '0.00001') },
];

it.each(outages)('every service stops by itself while the broker is $what', async ({ what, begin }) => {
  const broker = await startBroker(what);
  const stack = await stackAtWork(`f_${what}`, broker.url);
  try {
    await begin(broker);
    // What follows from these attempts can't be made safe any more.
    for (const answer of answers) answer();
    const codes = await Promise.all(stack.processes.map((service) => service.stop()));
    expect(codes).toEqual([0, 0, 0]);
  } finally {
    await stack.stop();
  }
});
