import { join } from 'node:path';
import { RabbitMqServer, temporaryFolder } from '@form-webhooks/local';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { answer, Receiver } from '../support/receiver.js';
import { sampleOf } from '../support/metrics/samples.js';
import { StackLog } from '../support/stack-log.js';
import { Stack } from '../support/stack.js';

const WAIT = { timeout: 60_000, interval: 50 };
/** As many as an endpoint of which nothing is known may have in flight in one dispatcher. */
const HELD = 8;

let rabbitmq: RabbitMqServer;
let stack: Stack;
let receiver: Receiver;
const folder = temporaryFolder('form-webhooks-alarms-');

beforeAll(async () => {
  rabbitmq = new RabbitMqServer({ folder: join(folder.path, 'rabbitmq') });
  await rabbitmq.start();
  receiver = await Receiver.start();
  // What is held must not time out, however slow the machine is, and nobody waits long for a confirm that can't come.
  const env = { RETRY_SCHEDULE: '500ms,500ms', ATTEMPT_TIMEOUT: '30s', STOP_TIMEOUT: '30s', CONFIRM_TIMEOUT: '1s' };
  stack = await Stack.start({ rabbitmqUrl: rabbitmq.url, env, dispatchers: 2 });
});

afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
  await rabbitmq?.discard();
  folder.remove();
});

const eventOf = (n: number): string =>
  `{"event":"submission.created","form_id":"f_alarm","submission_id":"s_${n}","fields":{"n":${n}},"idempotency_key":"k${n}"}`;

/** What the alerts of a blocked broker look at: the dispatchers' connection, their intake, and ingest's refusals. */
async function alarms(): Promise<unknown[]> {
  const dispatchers = stack.processes.filter((one) => one.name === 'dispatcher');
  const most = async (name: string, labels: Record<string, string>): Promise<number> => {
    const each = await Promise.all(dispatchers.map(({ healthUrl }) => sampleOf(healthUrl, name, labels)));
    return Math.max(...each.map((value) => value || 0));
  };
  const ingest = stack.service('ingest').healthUrl;
  const refused = await sampleOf(ingest, 'ingest_events_refused_total', { reason: 'not_confirmed' });
  return [
    await most('broker_blocked', { connection: 'publishing' }),
    await most('broker_intake_held', { reason: 'the broker blocks publishing' }),
    refused > 0,
  ];
}

const idOf = (body: Buffer): string => (JSON.parse(body.toString()) as { delivery_id: string }).delivery_id;

describe('a memory alarm of the broker', () => {
  it(
    'repeats no POST, loses nothing, tells publishers to wait, and is over when it is over',
    { timeout: 180_000 },
    async () => {
      await stack.registerForm('f_alarm');
      const log = await StackLog.open(stack);
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      // Attempts that are in flight when the alarm begins are answered during it.
      await stack.createEndpoint(
        'f_alarm',
        receiver.url('/held', (response) => void held.then(() => response.writeHead(200).end())),
      );
      // Not 503: an endpoint that fails for seconds is paced, and on a slow machine its last retry waits for a minute.
      await stack.createEndpoint('f_alarm', receiver.url('/fails', answer(408)));
      await stack.registerForm('f_tested');
      const tested = await stack.createEndpoint('f_tested', receiver.url('/tested'));
      // Again with its key where a slow machine takes longer than a confirm may.
      const post = (n: number) => vi.waitFor(async () => expect((await stack.post(eventOf(n))).status).toBe(202), WAIT);
      for (let n = 0; n < HELD; n++) await post(n);
      await vi.waitFor(() => expect(receiver.received('/held')).toHaveLength(HELD), WAIT);

      await rabbitmq.ctl('set_vm_memory_high_watermark', '0.000001');
      const alarmBegan = Date.now();
      // Handed to the broker, which takes it up when the alarm is over.
      const send = () => stack.api('POST', `/v1/forms/f_tested/endpoints/${tested.id}/test`, {});
      for (const { status } of await Promise.all(Array.from({ length: 8 }, send))) expect(status).toBe(202);
      const refused = await vi.waitFor(async () => {
        const response = await stack.post(eventOf(100));
        expect(response.status).toBe(503);
        return response;
      }, WAIT);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      release();
      // Longer than config waits for a confirm: whatever times out by then would be published a second time.
      await vi.waitFor(() => expect(Date.now() - alarmBegan).toBeGreaterThan(12_000), WAIT);
      expect(new Set(receiver.received('/held').map(({ body }) => idOf(body))).size).toBe(HELD);
      expect(receiver.received('/held')).toHaveLength(HELD);
      await vi.waitFor(async () => expect(await alarms()).toEqual([1, 1, true]), WAIT);

      await rabbitmq.ctl('set_vm_memory_high_watermark', '0.4');
      await post(100);
      await vi.waitFor(async () => {
        const { body } = await stack.api('GET', '/v1/forms/f_alarm/deliveries?limit=100');
        const states = body.items.map(({ state }: { state: string }) => state).sort();
        expect(states).toEqual([...Array(HELD + 1).fill('delivered'), ...Array(HELD + 1).fill('failed')]);
      }, WAIT);
      expect(receiver.received('/held')).toHaveLength(HELD + 1);
      // Three attempts each, none made twice.
      expect(await log.repeatedTries()).toEqual([]);
      await vi.waitFor(async () => expect(await log.unsent()).toBe(0), WAIT);
      await vi.waitFor(() => expect(receiver.received('/tested').length).toBeGreaterThanOrEqual(8), WAIT);
      expect(receiver.received('/tested')).toHaveLength(8);
      expect(receiver.received('/fails')).toHaveLength(3 * (HELD + 1));
    },
  );
});
