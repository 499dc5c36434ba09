import { parseArgs } from 'node:util';
import { Broker, parkedQueueOf, ParkedMessages, QUEUES, type ParkedMessage } from '@form-webhooks/broker';
import { escapeUnprintable, inTime } from '@form-webhooks/domain';
import { BrokerSettings, loadSettings } from '@form-webhooks/settings';
import { createLogger } from '@form-webhooks/telemetry';
import { recordDiscarded } from './discarded-delivery.js';

const USAGE = `Messages that could not be processed wait in parked queues, each with its reason.

  parked count                          how many wait in each queue
  parked list <queue> [--limit 20]      reasons and ids of the first ones; they stay
  parked requeue <queue> [--limit 1]    puts the first ones back to work
  parked discard <queue> [--limit 1]    throws the first ones away for good; a delivery is cancelled then

RABBITMQ_URL names the broker.`;

const CONNECT_TIMEOUT_MS = 10_000;

process.exitCode = await run(process.argv.slice(2));

async function run(args: string[]): Promise<number> {
  let parsed;
  try {
    parsed = parseArgs({ args, options: { limit: { type: 'string' } }, allowPositionals: true });
  } catch (error) {
    return complain((error as Error).message);
  }
  const [command, queue] = parsed.positionals;
  const limit = Number(parsed.values.limit ?? (command === 'list' ? 20 : 1));
  if (!Number.isInteger(limit) || limit < 1) return complain('--limit takes a whole number from 1');
  if (command !== 'count' && queue === undefined) return complain('name a command and a queue');
  try {
    return await withBroker((broker) => carryOut(broker, command!, queue ?? '', limit));
  } catch (error) {
    return complain((error as Error).message);
  }
}

async function carryOut(broker: Broker, command: string, queue: string, limit: number): Promise<number> {
  const parked = new ParkedMessages(broker);
  switch (command) {
    case 'count':
      for (const { queue: name, messages } of await parked.count())
        console.log(`${String(messages).padStart(8)}  ${name}`);
      return 0;
    case 'list':
      return print(await parked.list(queue, limit), 'waits');
    case 'requeue':
      return print(await parked.requeue(queue, limit), 'back to work');
    case 'discard':
      return print(await discard(broker, parked, queue, limit), 'discarded');
    default:
      return complain(`there is no command ${command}`);
  }
}

function discard(broker: Broker, parked: ParkedMessages, queue: string, limit: number): Promise<ParkedMessage[]> {
  if (queue !== parkedQueueOf(QUEUES.deliveries)) return parked.discard(queue, limit);
  return parked.discard(queue, limit, (message) => recordDiscarded(broker.publisher, message));
}

async function withBroker(work: (broker: Broker) => Promise<number>): Promise<number> {
  const { url } = loadSettings(BrokerSettings, process.env);
  const logger = createLogger({ app: 'parked', level: 'fatal' });
  const broker = new Broker({ url, name: 'parked', owner: 'nobody', logger });
  await broker.start();
  try {
    if (!(await inTime(broker.whenReady(), CONNECT_TIMEOUT_MS))) {
      throw new Error('the broker in RABBITMQ_URL does not answer');
    }
    return await work(broker);
  } finally {
    await broker.close();
  }
}

function print(messages: readonly ParkedMessage[], what: string): number {
  for (const { reason, bytes, headers } of messages) {
    console.log(escapeUnprintable(`${what}: ${reason} (${bytes} bytes) ${JSON.stringify(headers)}`));
  }
  console.log(`${messages.length} ${messages.length === 1 ? 'message' : 'messages'}`);
  return 0;
}

function complain(what: string): number {
  console.error(`${linesOf(what)}\n\n${USAGE}`);
  return 2;
}

/** An error's own lines stay lines. */
function linesOf(text: string): string {
  return text.split('\n').map(escapeUnprintable).join('\n');
}
