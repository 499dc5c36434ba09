import {
  isNamedBy,
  MOST_SEARCHED,
  parkedQueueOf,
  parkedQueues,
  ParkedMessages,
  QUEUES,
  type Broker,
  type ParkedMessage,
  type ReviewedMessage,
  type SettleOptions,
} from '@form-webhooks/broker';
import { counted } from '../../counted.js';
import { withBroker } from '../connect.js';
import { recordDiscarded } from './discarded-delivery.js';
import { detailsOf, documentOf, lineOf, lineOfQueue, nameOf, reach, reachLines } from './parked-views.js';
import {
  countOption,
  EXIT,
  textOption,
  wrongCall,
  type ExitCode,
  type OpsCall,
  type OpsCommand,
  type OpsOption,
} from '../ops-command.js';

const SHOWN = 20;
const ID = {
  type: 'string',
  meaning: 'those about this event or delivery, or with this message_id; without it the first ones',
} as const satisfies OpsOption;
const NOTE = 'Messages that could not be processed wait in parked queues, each with its reason. No body is ever shown.';

const LIST: OpsCommand = {
  name: 'parked list',
  takes: ['[queue]'],
  summary: 'what could not be processed: how much waits in which queue, and why',
  options: { limit: { type: 'string', meaning: `messages of each queue, ${SHOWN} by default` } },
  notes: [NOTE],
  async run(call) {
    const limit = countOption(call, 'limit', SHOWN);
    const [only] = call.args;
    if (only !== undefined) checkQueue(only);
    return withParked(call, async (parked) => {
      const queues = (await parked.count()).filter(({ queue }) => only === undefined || queue === only);
      const messages: ParkedMessage[] = [];
      for (const { queue, messages: count } of queues) {
        if (count > 0) messages.push(...(await parked.list(queue, limit)));
      }
      call.output.result(
        {
          queues: queues.map(({ queue, messages: count }) => ({ queue, messages: count })),
          messages: messages.map(documentOf),
        },
        [...queues.map(lineOfQueue), ...messages.map(lineOf)],
      );
      return EXIT.fine;
    });
  },
};

const SHOW: OpsCommand = {
  name: 'parked show',
  takes: ['queue', 'id'],
  summary: 'all that is known of the messages of an event, a delivery or a message_id',
  notes: [NOTE],
  async run(call) {
    const [queue, id] = call.args as [string, string];
    checkQueue(queue);
    return withParked(call, async (parked) => {
      const looked = await parked.list(queue, MOST_SEARCHED);
      const messages = looked.filter((message) => isNamedBy(message, id));
      const found = messages.length === 0 ? [`nothing in ${queue} has the id ${id}`] : messages.flatMap(detailsOf);
      call.output.result({ messages: messages.map(documentOf), ...reach(looked.length) }, [
        ...found,
        ...reachLines(queue, looked.length),
      ]);
      return messages.length === 0 ? EXIT.found : EXIT.fine;
    });
  },
};

const SEND: OpsCommand = {
  name: 'parked send',
  takes: ['queue'],
  summary: 'puts messages back to work, once the cause is gone',
  options: { limit: { type: 'string', meaning: 'how many, 1 by default' }, id: ID },
  run: (call) => settle(call, 'back to work', (parked, queue, options) => parked.requeue(queue, options)),
};

const DROP: OpsCommand = {
  name: 'parked drop',
  takes: ['queue'],
  summary: 'throws messages away for good; a delivery is cancelled then, and can be replayed',
  options: { limit: { type: 'string', meaning: 'how many, 1 by default' }, id: ID },
  run: (call) =>
    settle(call, 'thrown away', (parked, queue, options, broker) => {
      const isDelivery = queue === parkedQueueOf(QUEUES.deliveries);
      const before = isDelivery ? (message: ReviewedMessage) => recordDiscarded(broker.publisher, message) : undefined;
      return parked.discard(queue, options, before);
    }),
};

/** What is parked: looking, sending again, throwing away. */
export const PARKED: readonly OpsCommand[] = [LIST, SHOW, SEND, DROP];

type Act = (parked: ParkedMessages, queue: string, options: SettleOptions, broker: Broker) => Promise<unknown>;

async function settle(call: OpsCall, done: string, act: Act): Promise<ExitCode> {
  const queue = call.args[0]!;
  checkQueue(queue);
  const limit = countOption(call, 'limit', 1);
  const id = textOption(call, 'id');
  let looked = 0;
  const isMeant = (message: ParkedMessage): boolean => {
    looked += 1;
    return id === undefined || isNamedBy(message, id);
  };
  return withParked(call, async (parked, broker) => {
    const messages: ParkedMessage[] = [];
    const onSettled = (message: ParkedMessage): boolean => {
      messages.push(message);
      // At once: a call that is ended because the broker no longer answers does not come to its result.
      call.output.progress(`${messages.length} ${done}: ${nameOf(message)}`);
      return !call.signal.aborted;
    };
    try {
      await act(parked, queue, { limit, isMeant, onSettled }, broker);
    } finally {
      // Also when it fails half-way: nobody else can tell what was settled by then.
      const count = `${counted(messages.length, 'message', 'messages')} ${done}`;
      call.output.result({ messages: messages.map(documentOf), ...reach(looked) }, [
        ...messages.map(lineOf),
        count,
        ...reachLines(queue, looked),
      ]);
    }
    if (call.signal.aborted) return EXIT.interrupted;
    return messages.length === 0 ? EXIT.found : EXIT.fine;
  });
}

const withParked = (
  { installation }: OpsCall,
  work: (parked: ParkedMessages, broker: Broker) => Promise<ExitCode>,
): Promise<ExitCode> => withBroker(installation, (broker) => work(new ParkedMessages(broker), broker));

function checkQueue(queue: string): void {
  const names = parkedQueues().map(({ parked }) => parked);
  if (!names.includes(queue)) {
    throw wrongCall(`"${queue}" is no queue of parked messages`, `name one of ${names.join(', ')}`);
  }
}
