import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { CuttableProxy, type Direction } from '../support/network/cuttable-proxy.js';
import { answer, Receiver } from '../support/receiver.js';
import { Stack, type ServiceName } from '../support/stack.js';
import { StackLog } from '../support/stack-log.js';

/*
 * A packet filter forgets connections that stand and drops what belongs to them. Neither side is told; a new connection
 * would work at once.
 */

/** Half of the default, so that all is noticed in half the time; the default itself is held by `broker-nodes.spec.ts`. */
const HEARTBEAT_SECONDS = 4;
const SERVICES: readonly ServiceName[] = ['config', 'dispatcher', 'ingest'];
const FORM = 'f_frozen';
const NOTICED = { timeout: 30_000, interval: 5 };
const HEALED = { timeout: 60_000, interval: 100 };
const POST_EVERY_MS = 200;
vi.setConfig({ testTimeout: 240_000 });

const proxies = new Map<ServiceName, CuttableProxy>();
let stack: Stack;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start();
  const urls = new Map<ServiceName, string>();
  for (const service of SERVICES) {
    const proxy = new CuttableProxy(new URL(brokerUrl()));
    proxies.set(service, proxy);
    urls.set(service, `${await proxy.open()}?heartbeat=${HEARTBEAT_SECONDS}`);
  }
  stack = await Stack.start({ rabbitmqUrlOf: (service) => urls.get(service)! });
  await stack.registerForm(FORM);
  await stack.createEndpoint(FORM, receiver.url('/frozen', answer(200)));
});

afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
  for (const proxy of proxies.values()) await proxy.cut();
});

async function statusOf(service: ServiceName): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${stack.service(service).healthPort}/health/ready`);
  await response.arrayBuffer();
  return response.status;
}

/** Posts events until it is told to stop. @returns the submissions whose events were accepted */
function postEvents(name: string): () => Promise<string[]> {
  const posts: Promise<string | undefined>[] = [];
  const timer = setInterval(() => {
    const submission = `s_${name}_${posts.length}`;
    const text = `{"event":"submission.created","form_id":"${FORM}","submission_id":"${submission}","fields":{}}`;
    posts.push(stack.post(text).then(({ status }) => (status === 202 ? submission : undefined)));
  }, POST_EVERY_MS);
  return async () => {
    clearInterval(timer);
    return (await Promise.all(posts)).filter((submission) => submission !== undefined);
  };
}

const received = (): Set<string> =>
  new Set(
    receiver
      .received('/frozen')
      .map(({ body }) => (JSON.parse(body.toString()) as { submission_id: string }).submission_id),
  );

it.each<{ directions: readonly Direction[] }>([
  { directions: ['up', 'down'] },
  { directions: ['up'] },
  { directions: ['down'] },
])(
  'every service says that its connections are frozen, and goes on without loss ($directions)',
  async ({ directions }) => {
    const end = postEvents(directions.join('_'));
    await vi.waitFor(() => expect(received().size).toBeGreaterThan(0), HEALED);
    const frozenAt = performance.now();
    for (const proxy of proxies.values()) expect(proxy.freeze(...directions)).toBeGreaterThan(0);
    const seconds = await Promise.all(
      SERVICES.map(async (service) => {
        await vi.waitFor(async () => expect(await statusOf(service)).toBe(503), NOTICED);
        const noticed = performance.now() - frozenAt;
        await vi.waitFor(async () => expect(await statusOf(service)).toBe(200), HEALED);
        return [service, noticed, performance.now() - frozenAt];
      }),
    );
    if (process.env['TEST_LOG']) console.log(directions, seconds);
    expect(performance.now() - frozenAt).toBeLessThan(60_000);
    const before = receiver.received('/frozen').length;
    await vi.waitFor(() => expect(receiver.received('/frozen').length).toBeGreaterThan(before + 5), HEALED);
    const accepted = await end();
    await vi.waitFor(() => expect(accepted.filter((submission) => !received().has(submission))).toEqual([]), HEALED);
    const log = await StackLog.open(stack);
    await vi.waitFor(async () => expect(await log.idsWhere(FORM, `state <> 'delivered'`)).toEqual([]), HEALED);
  },
);

it('every service stops by itself while its connections are frozen', async () => {
  for (const proxy of proxies.values()) expect(proxy.freeze('up', 'down')).toBeGreaterThan(0);
  const codes = await Promise.all(stack.processes.map((service) => service.stop()));
  expect(codes).toEqual([0, 0, 0]);
});
