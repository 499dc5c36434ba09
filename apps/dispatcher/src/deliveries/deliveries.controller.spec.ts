import { DONE, PublishFailed, QUEUES, TO_DELIVERIES, toQueue, type RetryQueues } from '@form-webhooks/broker';
import { deliveryHeaders, deliveryTurnOf, fenceHeaders, readDeliveryMessage } from '@form-webhooks/messages';
import { Metrics } from '@form-webhooks/telemetry';
import { describe, expect, it, vi } from 'vitest';
import { messageOfDeferral } from '../record/delivery-records.js';
import { RepeatReport } from '../repeats/repeat-report.js';
import { DeliveryFences } from '../retry/delivery-fences.js';
import { RedeliveredDue } from '../retry/redelivered-due.js';
import { AttemptStage, type Behaviour } from '../testing/attempt-stage.js';
import { aDelivery, aDeliveryMessage, aMessage, anAnswer } from '../testing/factories.js';
import { FakeKnown, freeIntake, freeToWork, held, readableLogger, settled, turnsFor } from '../testing/fakes.js';
import { AttemptUnlessFinal } from '../attempt/attempt-unless-final.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveryTracker } from '../attempt/delivery-tracker.js';

function stage(behaviour: Behaviour = {}, turns = turnsFor(10)) {
  const around = new AttemptStage(behaviour);
  const { attempts, log, publisher } = around;
  const known = new FakeKnown();
  const noteArrival = vi.fn<RetryQueues['noteArrival']>();
  const controller = new DeliveriesController(
    new AttemptUnlessFinal(attempts, known, new RepeatReport(new Metrics('spec'))),
    new DeliveryTracker(),
    new DeliveryFences(log, publisher, readableLogger().logger),
    new RedeliveredDue(publisher),
    freeToWork(),
    turns,
    freeIntake(),
    { noteArrival },
  );
  return { around, known, controller, noteArrival };
}

const FENCE = { fenceId: 'rec_1', queue: 'dispatcher.due', sentAt: 1_000 };

describe.each([QUEUES.deliveries, QUEUES.due])('what comes through %s', (queue) => {
  it('is attempted if it is a delivery, and done with once it is settled', async () => {
    const { around, controller } = stage();
    expect(await controller.handle(aDeliveryMessage(aDelivery(), { queue }))).toEqual(DONE);
    expect(around.sendings).toMatchObject([{ delivery: aDelivery() }]);
    expect(around.record.state).toBe('delivered');
  });

  it('is parked with the reason if it can not be read', async () => {
    const { around, controller } = stage();
    const message = aDeliveryMessage(aDelivery(), { queue });
    const { form_id: _, ...headers } = message.headers;
    const verdict = await controller.handle({ ...message, headers });
    expect(verdict).toEqual({ kind: 'park', reason: expect.stringMatching(/^header form_id /) });
    expect(around.steps).toEqual([]);
  });

  it('goes on through the queue of large bodies if it is a fence, and is told to the log from there', async () => {
    const { around, controller } = stage();
    const headers = fenceHeaders(FENCE);
    // A fence says when it was taken out, so it is never moved.
    expect(await controller.handle(aMessage({ queue, headers, redelivered: true }))).toEqual(DONE);
    const large = `${queue}.large`;
    expect(around.publisher.published).toEqual([{ to: toQueue(large), message: { headers, body: Buffer.alloc(0) } }]);
    expect(around.log.records).toEqual([]);
    const confirm = held();
    around.log.confirms = confirm.promise;
    let ended = false;
    const handling = controller
      .handle(aMessage({ queue: large, headers }))
      .then((verdict) => ((ended = true), verdict));
    await settled();
    expect(ended).toBe(false);
    confirm.resolve();
    expect(await handling).toEqual(DONE);
    expect(around.log.records).toEqual([{ kind: 'fence', ...FENCE }]);
  });

  it.each(['unroutable', 'nacked'] as const)(
    'is told to the log if it is a fence that is %s: no node is waited for',
    async (code) => {
      const { around, controller } = stage();
      vi.spyOn(around.publisher, 'publish').mockRejectedValue(new PublishFailed(code, toQueue(queue)));
      expect(await controller.handle(aMessage({ queue, headers: fenceHeaders(FENCE) }))).toEqual(DONE);
      expect(around.log.records).toEqual([{ kind: 'fence', ...FENCE }]);
    },
  );

  it.each(['timeout', 'blocked', 'disconnected'] as const)(
    'ends if it is a fence and its publish is %s: of the large ones that wait it can tell nothing',
    async (code) => {
      const { around, controller } = stage();
      vi.spyOn(around.publisher, 'publish').mockRejectedValue(new PublishFailed(code, toQueue(queue)));
      expect(await controller.handle(aMessage({ queue, headers: fenceHeaders(FENCE) }))).toEqual(DONE);
      expect(around.log.records).toEqual([]);
    },
  );

  it('is parked if it is a fence that can not be read', async () => {
    const { around, controller } = stage();
    const message = aMessage({ queue, headers: { ...fenceHeaders(FENCE), sent_at: 'yesterday' } });
    expect(await controller.handle(message)).toMatchObject({ kind: 'park' });
    expect(around.log.records).toEqual([]);
  });

  it('is neither parked nor done with if a bug stops its attempt', async () => {
    const { controller } = stage({ receiver: new TypeError('no such member') });
    await expect(controller.handle(aDeliveryMessage(aDelivery(), { queue }))).rejects.toThrow('no such member');
  });

  it('is parked if a bug came after its POST, so that the POST is not made again', async () => {
    const { around, controller } = stage({ receiver: anAnswer(503) });
    vi.spyOn(around.log, 'record').mockRejectedValue(new TypeError('no such member'));
    expect(await controller.handle(aDeliveryMessage(aDelivery(), { queue }))).toEqual({
      kind: 'park',
      reason: 'its POST was made, but a bug kept it from being settled: TypeError: no such member',
    });
    expect(around.sendings).toHaveLength(1);
  });

  it('is done with, but not attempted, if the broker took it back before', async () => {
    const { around, controller } = stage();
    expect(await controller.handle(aDeliveryMessage(aDelivery(), { queue, isOurs: () => false }))).toEqual(DONE);
    expect(around.steps).toEqual([]);
  });

  it('is attempted once, though it comes twice', async () => {
    const { around, controller } = stage({ receiver: anAnswer(410) });
    const message = aDeliveryMessage(aDelivery(), { queue });
    await Promise.all([controller.handle(message), controller.handle(message)]);
    await controller.handle(message);
    expect(around.sendings).toHaveLength(1);
  });
});

describe('what dispatcher.due hands over a second time', () => {
  const again = { queue: QUEUES.due, redelivered: true };

  it('goes on in dispatcher.deliveries, and is done with once it is there', async () => {
    const { around, controller } = stage();
    const confirm = held();
    around.publisher.confirms = confirm.promise;
    const delivery = aDelivery({ position: { try: 1, deferrals: 2 }, republishedBy: 'rec_1' });
    let ended = false;
    const handling = controller
      .handle(
        aDeliveryMessage(delivery, { ...again, headers: { ...aDeliveryMessage(delivery).headers, 'x-death': [] } }),
      )
      .then((verdict) => ((ended = true), verdict));
    await settled();
    const [{ to, message }] = around.publisher.published as [(typeof around.publisher.published)[number]];
    expect(to).toEqual(TO_DELIVERIES);
    expect(readDeliveryMessage(message.headers, message.body)).toEqual(delivery);
    expect(message.headers).not.toHaveProperty('x-death');
    expect(ended).toBe(false);
    confirm.resolve();
    expect(await handling).toEqual(DONE);
    expect(around.sendings).toEqual([]);
  });

  it('goes on as it is, with the reason, if it can not be read', async () => {
    const { around, controller } = stage();
    const message = aDeliveryMessage(aDelivery(), again);
    const headers = { ...message.headers, try: 'first' };
    expect(await controller.handle({ ...message, headers })).toEqual(DONE);
    expect(around.publisher.published).toEqual([
      {
        to: TO_DELIVERIES,
        message: { headers: { ...headers, unreadable: expect.stringMatching(/^header try /) }, body: message.body },
      },
    ]);
  });

  it('is not what dispatcher.deliveries hands over again: that is attempted', async () => {
    const { around, controller } = stage();
    await controller.handle(aDeliveryMessage(aDelivery(), { redelivered: true }));
    expect(around.sendings).toHaveLength(1);
    expect(around.publisher.published).toEqual([]);
  });
});

it('tells where delays wait of what came, and of what the reconciler published again since it was lost', async () => {
  const { controller, noteArrival } = stage();
  const [came, lost] = [aDeliveryMessage(aDelivery()), aDeliveryMessage(aDelivery({ republishedBy: 'rec_1' }))];
  await controller.handle(came);
  await controller.handle(lost);
  expect(noteArrival.mock.calls).toEqual([
    [{ headers: came.headers, wasLost: false }],
    [{ headers: lost.headers, wasLost: true }],
  ]);
  expect(deliveryTurnOf(lost.headers)).toBe(deliveryTurnOf(came.headers));
  expect(deliveryTurnOf(deliveryHeaders(messageOfDeferral(aDelivery(), 0)))).not.toBe(deliveryTurnOf(came.headers));
});

describe('while as many attempts are under way as this process has time for', () => {
  /** One turn, which somebody has until the test ends it. */
  async function busy() {
    const turns = turnsFor(1);
    const around = stage({}, turns);
    const end = held();
    const other = turns.during('event', () => end.promise);
    await settled();
    return { ...around, end: () => (end.resolve(), other) };
  }

  it('a delivery with a message of its own waits for its turn', async () => {
    const { around, controller, end } = await busy();
    const handling = controller.handle(aDeliveryMessage(aDelivery(), { queue: QUEUES.deliveries }));
    await settled();
    expect(around.sendings).toEqual([]);
    await end();
    expect(await handling).toEqual(DONE);
    expect(around.sendings).toHaveLength(1);
  });

  it('it is not attempted in its turn if the broker has taken it back by then', async () => {
    const { around, controller, end } = await busy();
    let isOurs = true;
    const message = aDeliveryMessage(aDelivery(), { queue: QUEUES.deliveries, isOurs: () => isOurs });
    const handling = controller.handle(message);
    await settled();
    isOurs = false;
    await end();
    expect(await handling).toEqual(DONE);
    expect(around.sendings).toEqual([]);
  });

  it.each([
    ['a retry', QUEUES.due, aDelivery({ position: { try: 1, deferrals: 0 } })],
    ['one that was put off on a shared delay', QUEUES.deliveries, aDelivery({ position: { try: 0, deferrals: 1 } })],
    ['a test send', QUEUES.deliveries, aDelivery({ trigger: 'test' })],
  ] as const)('%s waits for none', async (_which, queue, delivery) => {
    const { around, controller } = await busy();
    expect(await controller.handle(aDeliveryMessage(delivery, { queue }))).toEqual(DONE);
    expect(around.sendings).toHaveLength(1);
  });
});
