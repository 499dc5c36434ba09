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
// Each case starts three services and a database, beside the other and another spec file.
vi.setConfig({ testTimeout: 300_000 });

/** Cases wait for many seconds, so that two brokers are struck at the same time. */
const brokers = ['first', 'second'].map((name) => new RabbitMqServer({ folder: join(folder.path, name) }));
const [first, second] = brokers as [RabbitMqServer, RabbitMqServer];
let receiver: Receiver;

beforeAll(async () => {
  for (const broker of brokers) await broker.start();
  receiver = await Receiver.start();
});

afterAll(async () => {
  await receiver?.stop();
  for (const broker of brokers) await broker.discard();
  folder.remove();
});

/** Services with attempts in flight at a receiver that has not answered yet. */
interface StackAtWork {
  readonly stack: Stack;
  readonly answerAll: () => void;
}

async function stackAtWork(broker: RabbitMqServer, formId: string): Promise<StackAtWork> {
  const stack = await Stack.start({
    rabbitmqUrl: broker.url,
    env: { STOP_TIMEOUT: `${STOP_TIMEOUT_MS}ms`, ATTEMPT_TIMEOUT: `${STOP_TIMEOUT_MS}ms` },
  });
  try {
    return { stack, answerAll: await beginAttempts(stack, formId) };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

/** @returns what answers them */
async function beginAttempts(stack: Stack, formId: string): Promise<() => void> {
  const answers: (() => void)[] = [];
  const held: Behaviour = (response) => void answers.push(() => response.writeHead(503).end());
  await stack.registerForm(formId);
  await stack.createEndpoint(formId, receiver.url(`/${formId}`, held));
  for (let n = 0; n < POSTS; n += 1) {
    const { status } = await stack.post(
      `{"event":"submission.created","form_id":"${formId}","submission_id":"s_${n}","fields":{}}`,
    );
    expect(status).toBe(202);
  }
  await vi.waitFor(() => expect(answers).toHaveLength(POSTS), WAIT);
  return () => {
    for (const answer of answers) answer();
  };
}

interface Outage {
  readonly what: string;
  readonly begin: () => Promise<unknown>;
  readonly end: () => Promise<unknown>;
}

const frozen: Outage = {
  what: 'frozen',
  begin: async () => process.kill(first.pid!, 'SIGSTOP'),
  end: async () => process.kill(first.pid!, 'SIGCONT'),
};

const alarmed: Outage = {
  what: 'in a memory alarm',
  begin: () => second.ctl('set_vm_memory_high_watermark', '0.00001'),
  end: () => second.ctl('set_vm_memory_high_watermark', '0.4'),
};

/**
 * Comes last: what is left of a broker that was killed can't be emptied for the next case. A quorum queue that is deleted
 * before it has its leader back can't be started any more once it is declared again [seen on 3.10.8].
 */
const dead: Outage = { what: 'dead', begin: () => second.kill(), end: () => Promise.resolve() };

async function stopDuring(broker: RabbitMqServer, { what, begin, end }: Outage): Promise<void> {
  const { stack, answerAll } = await stackAtWork(broker, `f_${what.replaceAll(' ', '_')}`);
  await begin();
  try {
    // What follows from these attempts can't be made safe any more.
    answerAll();
    const codes = await Promise.all(stack.processes.map((service) => service.stop()));
    expect(codes, what).toEqual([0, 0, 0]);
  } finally {
    await end();
    await stack.stop();
  }
}

it.concurrent('every service stops by itself while the broker is frozen', () => stopDuring(first, frozen));

it.concurrent('every service stops by itself while the broker is in a memory alarm, and while it is dead', async () => {
  await stopDuring(second, alarmed);
  await stopDuring(second, dead);
});
