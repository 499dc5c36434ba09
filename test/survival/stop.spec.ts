import { join } from 'node:path';
import { RabbitMqServer, temporaryFolder } from '@form-webhooks/local';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Receiver, type Behaviour } from '../support/receiver.js';
import { Stack } from '../support/stack.js';

/*
 * A platform stops services at any time, also in an outage. One that waits for the outage's end is killed by it.
 */

const WAIT = { timeout: 60_000, interval: 25 };
const STOP_TIMEOUT_MS = 2_000;
/** As many as an endpoint of which nothing is known may have in flight. */
const POSTS = 8;

const folder = temporaryFolder('form-webhooks-stop-');
// Each case starts three services and a database, beside another spec file.
vi.setConfig({ testTimeout: 150_000 });

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
  await broker?.discard();
  folder.remove();
});

/** The services, with attempts in flight at a receiver that has not answered yet. */
async function stackAtWork(formId: string): Promise<Stack> {
  const stack = await Stack.start({
    rabbitmqUrl: broker.url,
    env: { STOP_TIMEOUT: `${STOP_TIMEOUT_MS}ms`, ATTEMPT_TIMEOUT: `${STOP_TIMEOUT_MS}ms` },
  });
  try {
    await beginAttempts(stack, formId);
    return stack;
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

async function beginAttempts(stack: Stack, formId: string): Promise<void> {
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
}

interface Outage {
  readonly what: string;
  readonly begin: () => Promise<unknown>;
  readonly end: () => Promise<unknown>;
}

/**
 * The dead one comes last: what is left of a broker that was killed can't be emptied for the next case. A quorum queue
 * that is deleted before it has its leader back can't be started any more once it is declared again [seen on 3.10.8].
 */
const outages: Outage[] = [
  {
    what: 'frozen',
    begin: async () => process.kill(broker.pid!, 'SIGSTOP'),
    end: async () => process.kill(broker.pid!, 'SIGCONT'),
  },
  {
    what: 'in a memory alarm',
    begin: () => broker.ctl('set_vm_memory_high_watermark', '0.00001'),
    end: () => broker.ctl('set_vm_memory_high_watermark', '0.4'),
  },
  { what: 'dead', begin: () => broker.kill(), end: () => Promise.resolve() },
];

it.each(outages)('every service stops by itself while the broker is $what', async ({ what, begin, end }) => {
  const stack = await stackAtWork(`f_${what.replaceAll(' ', '_')}`);
  await begin();
  try {
    // What follows from these attempts can't be made safe any more.
    for (const answer of answers) answer();
    const codes = await Promise.all(stack.processes.map((service) => service.stop()));
    expect(codes).toEqual([0, 0, 0]);
  } finally {
    await end();
    await stack.stop();
  }
});
