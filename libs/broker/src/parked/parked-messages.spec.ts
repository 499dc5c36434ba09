import { CAME_BEFORE } from '@form-webhooks/messages';
import { expect, it } from 'vitest';
import type { Broker } from '../broker.js';
import { UNPARKED } from '../publish/forwarding.js';
import type { OutgoingMessage } from '../publish/outgoing-message.js';
import { parkedQueueOf, toQueue, type Destination } from '../destinations.js';
import { QUEUES } from '../queue-names.js';
import { ParkedMessages } from './parked-messages.js';

const body = Buffer.from('body');

/** A broker whose every queue holds one message with these headers. */
function stage(headers: Record<string, string | number>) {
  const published: { to: Destination; message: OutgoingMessage }[] = [];
  const steps: string[] = [];
  const channel = {
    checkQueue: async () => ({ messageCount: 1, consumerCount: 0 }),
    get: async () => ({ content: body, fields: {}, properties: { headers } }),
    ack: () => void steps.push('acked'),
    close: async () => undefined,
  };
  const publisher = {
    publish: async (to: Destination, message: OutgoingMessage) => {
      published.push({ to, message });
      steps.push('published');
    },
  };
  const broker = { consuming: { openChannel: async () => channel }, publisher } as unknown as Broker;
  return { parked: new ParkedMessages(broker), published, steps };
}

it.each([QUEUES.events, QUEUES.deliveries])(
  'what goes back to work in %s says that it came before, or the log would be taken for whoever has it',
  async (work) => {
    const { parked, published, steps } = stage({ event_id: 'evt_1', [UNPARKED]: 1, parked_reason: 'a bug' });
    await parked.requeue(parkedQueueOf(work), { limit: 1 });
    expect(published).toEqual([
      { to: toQueue(work), message: { body, headers: { event_id: 'evt_1', [CAME_BEFORE]: 1 } } },
    ]);
    expect(steps).toEqual(['published', 'acked']);
  },
);

it.each([
  [
    { parked_sent_by: 'form-service', parked_sent_at: 1_790_000_000_000 },
    { appId: 'form-service', timestamp: 1_790_000_000 },
  ],
  [{ parked_sent_by: 'x'.repeat(300), parked_sent_at: -1 }, {}],
])(
  'what goes back to work says who sent it and when, so that it is known if it is parked again: %j',
  async (said, kept) => {
    const { parked, published } = stage({ event_id: 'evt_1', parked_reason: 'a bug', ...said });
    await parked.requeue(parkedQueueOf(QUEUES.events), { limit: 1 });
    expect(published[0]!.message).toEqual({ body, headers: { event_id: 'evt_1', [CAME_BEFORE]: 1 }, ...kept });
  },
);
