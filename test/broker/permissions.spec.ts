import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXCHANGES, laneQueueOf, QUEUES, type BrokerUser } from '@form-webhooks/broker';
import { RabbitMqServer, temporaryFolder } from '@form-webhooks/local';
import { connect, type ChannelModel, type ConfirmChannel } from 'amqplib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { installationSecrets } from '../../apps/config/src/commands/installation-secrets.js';
import { checkBroker } from '../../apps/config/src/ops/doctor/broker-checks.js';
import { checkPermissions } from '../../apps/config/src/ops/doctor/permission-check.js';
import { startBroker } from '../support/broker.js';
import { anEvent } from '../support/ingest-service.js';
import { answer, inTurn, Receiver } from '../support/receiver.js';
import { Stack } from '../support/stack.js';

const WAIT = { timeout: 30_000, interval: 50 };
const EMPTY = Buffer.alloc(0);

const folder = temporaryFolder('form-webhooks-permissions-');
const server = new RabbitMqServer({ folder: join(folder.path, 'rabbitmq') });
/** As a new installation has them: the users and their rights are read from its definitions. */
const secrets = installationSecrets({ broker: '127.0.0.1', database: 'none' });
const urlOf = (name: BrokerUser): string =>
  secrets[`${name}/rabbitmq-url`]!.replace(':5672', `:${new URL(server.url).port}`);
let receiver: Receiver;
let stack: Stack;

beforeAll(async () => {
  await server.start();
  const definitions = join(folder.path, 'definitions.json');
  writeFileSync(definitions, secrets['broker/definitions.json']!);
  await server.ctl('import_definitions', definitions);
  receiver = await Receiver.start();
  // From a broker on which nothing stands: each service declares what is its own, with the rights that it has.
  stack = await Stack.start({
    rabbitmqUrl: server.url,
    rabbitmqUrlOf: urlOf,
    env: { RETRY_SCHEDULE: '100ms,300ms' },
    keptLines: 10_000,
  });
  await stack.registerForm('f_1');
});
afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
  await server.discard();
  folder.remove();
});

async function withChannel<T>(user: BrokerUser, work: (channel: ConfirmChannel) => Promise<T>): Promise<T> {
  const connection: ChannelModel = await connect(urlOf(user));
  try {
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => undefined);
    return await work(channel);
  } finally {
    await connection.close();
  }
}

describe('services with the rights that PERMISSIONS says, and no others', () => {
  it('deliver an event over HTTP, try again what fails, and log it', async () => {
    await stack.createEndpoint('f_1', receiver.url('/retried', inTurn(answer(500), answer(200))));
    expect((await stack.post(anEvent())).status).toBe(202);
    await vi.waitFor(async () => {
      const { body } = await stack.api('GET', '/v1/forms/f_1/deliveries?state=delivered');
      expect(body.items).toHaveLength(1);
    }, WAIT);
    expect(receiver.received('/retried')).toHaveLength(2);
  });

  it('deliver what the form service publishes, and reject what it publishes wrong', async () => {
    await stack.registerForm('f_2');
    await stack.createEndpoint('f_2', receiver.url('/published'));
    await withChannel('form-service', async (channel) => {
      const publish = (body: string, messageId: string) =>
        channel.publish(EXCHANGES.formEvents, 'submission.created', Buffer.from(body), { persistent: true, messageId });
      publish(anEvent({ form_id: '"f_2"' }), 'right');
      publish('no JSON', 'wrong');
      await channel.waitForConfirms();
    });
    await vi.waitFor(() => expect(receiver.received('/published')).toHaveLength(1), WAIT);
    await vi.waitFor(async () => {
      const rejected = await withChannel('config', (channel) => channel.checkQueue(QUEUES.formEventsRejected));
      expect(rejected.messageCount).toBe(1);
    }, WAIT);
  });

  it('erase, which looks through the parked queues of all', async () => {
    const path = '/v1/forms/f_2/submissions/s_1/data';
    await vi.waitFor(async () => expect((await stack.api('DELETE', path)).status).toBe(204), WAIT);
  });
});

describe('doctor', () => {
  it('finds nothing wrong with them, nor with what they let config look at', async () => {
    const broker = await startBroker(urlOf('config'), { owner: 'nobody' });
    expect(await checkPermissions(broker)).toMatchObject({ verdict: 'fine' });
    const { findings } = await checkBroker(broker);
    expect(findings.filter(({ check }) => check === 'rights' || check === 'exchanges')).toMatchObject([
      { check: 'exchanges', verdict: 'fine' },
    ]);
  });
});

describe('the services', () => {
  it('were refused nothing meanwhile', () => {
    for (const { name, output } of stack.processes) expect(output, name).not.toMatch(/ACCESS.REFUSED/);
  });
});

describe('what a user may not do', () => {
  const publish = (exchange: string, routingKey: string) => async (channel: ConfirmChannel) => {
    channel.publish(exchange, routingKey, EMPTY, { mandatory: true });
    await channel.waitForConfirms();
  };

  const FORBIDDEN: readonly [BrokerUser, string, (channel: ConfirmChannel) => Promise<unknown>][] = [
    ['ingest', 'read the calls to config', (channel) => channel.consume(QUEUES.configRpc, () => undefined)],
    ['ingest', 'take a call to config', (channel) => channel.get(QUEUES.configRpc)],
    ['ingest', 'publish deliveries', publish(EXCHANGES.deliveries, 'due')],
    ['ingest', 'put deliveries into their queue', publish('', QUEUES.deliveries)],
    ['ingest', 'put a due delivery into its queue', publish('', QUEUES.due)],
    ['ingest', 'write the log', publish(EXCHANGES.log, 'records')],
    ['ingest', 'announce changes', publish(EXCHANGES.configChanges, '')],
    ['ingest', 'ask a dispatcher', publish('', QUEUES.dispatcherRpc)],
    ['ingest', 'read accepted events', (channel) => channel.get(QUEUES.events)],
    ['ingest', 'delete the calls to config', (channel) => channel.deleteQueue(QUEUES.configRpc)],
    [
      'ingest',
      'bind a queue to deliveries',
      (channel) => channel.bindQueue(QUEUES.formEvents, EXCHANGES.deliveries, '#'),
    ],
    ['ingest', 'declare a retry queue', (channel) => channel.assertQueue('retry.we_1.1000')],
    ['dispatcher', 'read the calls to config', (channel) => channel.get(QUEUES.configRpc)],
    ['dispatcher', 'read the log', (channel) => channel.get(QUEUES.deliveryLog)],
    ['dispatcher', 'announce changes', publish(EXCHANGES.configChanges, '')],
    ['config', 'take deliveries', (channel) => channel.get(QUEUES.deliveries)],
    ['config', 'read events of the form service', (channel) => channel.get(QUEUES.formEvents)],
    ['config', 'take accepted events', (channel) => channel.get(QUEUES.events)],
    [
      'config',
      'have accepted events sent to it',
      (channel) => channel.bindQueue(QUEUES.configRpc, EXCHANGES.events, '#'),
    ],
    ['ingest', 'take what it chooses a lane for', (channel) => channel.get(laneQueueOf('large'))],
    ['form-service', 'read what it published', (channel) => channel.get(QUEUES.formEvents)],
    ['form-service', 'publish accepted events', publish(EXCHANGES.events, 'accepted')],
    ['form-service', 'put anything into a queue', publish('', QUEUES.formEvents)],
    ['form-service', 'declare anything', (channel) => channel.assertExchange(EXCHANGES.formEvents, 'topic')],
  ];

  it.each(FORBIDDEN)('%s may not %s', async (user, _what, act) => {
    const refusal = withChannel(user, async (channel) => {
      const closed = new Promise<never>((_resolve, reject) => channel.once('error', reject));
      await Promise.race([act(channel), closed]);
      // A refused publish is confirmed by nothing but the end of its channel.
      await Promise.race([channel.checkExchange(EXCHANGES.formEvents), closed]);
    });
    await expect(refusal).rejects.toMatchObject({ message: expect.stringMatching(/403|ACCESS_REFUSED/) });
  });
});
