import { DONE, QUEUES, parkedQueueOf, toQueue, type HoldReason } from '@form-webhooks/broker';
import type { DeliveryId } from '@form-webhooks/domain';
import { readDeliveryMessage } from '@form-webhooks/messages';
import { Metrics } from '@form-webhooks/telemetry';
import { describe, expect, it, vi } from 'vitest';
import { RepeatReport } from '../repeats/repeat-report.js';
import { DeliveryFences } from '../retry/delivery-fences.js';
import { RedeliveredDue } from '../retry/redelivered-due.js';
import { AttemptStage, type Behaviour } from '../testing/attempt-stage.js';
import { aDelivery, aDeliveryMessage, anAnswer, anArrival } from '../testing/factories.js';
import { FakeKnown, freeIntake, freeToWork, readableLogger, settled, turnsFor } from '../testing/fakes.js';
import { AttemptFirst } from './attempt-first.js';
import { AttemptUnlessFinal } from '../attempt/attempt-unless-final.js';
import { DeliveriesController } from '../deliveries/deliveries.controller.js';
import type { EndpointRoom } from './bulk-line.js';
import { DeliveryTracker } from '../attempt/delivery-tracker.js';

const ARRIVAL = anArrival();
const NOTHING_SAFE: HoldReason = { why: 'the broker does not confirm', extent: 'work' };
const NOBODY_ASKS = { begins: () => undefined, sent: () => undefined };
const ROOM = { roomOf: () => Infinity, onFreed: () => undefined };

function stage(behaviour: Behaviour = {}, room: EndpointRoom = ROOM) {
  const around = new AttemptStage(behaviour);
  const { attempts, log, publisher } = around;
  const tracker = new DeliveryTracker();
  const unlessFinal = new AttemptUnlessFinal(attempts, new FakeKnown(), new RepeatReport(new Metrics('spec')));
  const intake = freeIntake();
  const turns = turnsFor(10, room);
  const controller = new DeliveriesController(
    unlessFinal,
    tracker,
    new DeliveryFences(log, publisher, readableLogger().logger),
    new RedeliveredDue(publisher),
    freeToWork(),
    turns,
    intake,
    { noteArrival: () => undefined },
  );
  const first = new AttemptFirst(attempts, tracker, publisher, turns, intake);
  return { around, controller, intake, first };
}

it('makes the first attempt at once and ends when it is settled', async () => {
  const { around, first } = stage();
  await first.attempt(aDelivery(), ARRIVAL, NOBODY_ASKS);
  expect(around.sendings).toMatchObject([{ delivery: aDelivery() }]);
  expect(around.record.state).toBe('delivered');
});

it('is known to the queue by which the same delivery comes: there is one POST', async () => {
  const { around, first, controller } = stage();
  const again = aDeliveryMessage(aDelivery({ cameBefore: true }), { queue: QUEUES.deliveries });
  const [, verdict] = await Promise.all([first.attempt(aDelivery(), ARRIVAL, NOBODY_ASKS), controller.handle(again)]);
  expect(verdict).toEqual(DONE);
  await controller.handle(again);
  expect(around.sendings).toHaveLength(1);
});

it('a bug that keeps the POST from being made is the caller’s, who hands the event back', async () => {
  const { around, first } = stage({ receiver: new TypeError('no such member') });
  await expect(first.attempt(aDelivery(), ARRIVAL, NOBODY_ASKS)).rejects.toThrow('no such member');
  expect(around.publisher.published).toEqual([]);
});

it('a bug after the POST parks this delivery alone, with the reason, so that its event is done with', async () => {
  const { around, first } = stage({ receiver: anAnswer(503) });
  vi.spyOn(around.log, 'record').mockRejectedValue(new TypeError('no such member'));
  await first.attempt(aDelivery(), ARRIVAL, NOBODY_ASKS);
  const [{ to, message }] = around.publisher.published as [(typeof around.publisher.published)[number]];
  expect(to).toEqual(toQueue(parkedQueueOf(QUEUES.deliveries)));
  expect(readDeliveryMessage(message.headers, message.body)).toEqual(aDelivery());
  expect(message.headers['parked_reason']).toBe(
    'its POST was made, but a bug kept it from being settled: TypeError: no such member',
  );
});

it('a bug after the POST is done with only once its delivery is parked', async () => {
  const { around, first } = stage();
  vi.spyOn(around.log, 'record').mockRejectedValue(new TypeError('no such member'));
  around.publisher.confirms = Promise.reject(new TypeError('no such queue'));
  await expect(first.attempt(aDelivery(), ARRIVAL, NOBODY_ASKS)).rejects.toThrow('no such queue');
});

it('waits for its endpoint’s room only if its event came by a bulk lane', async () => {
  let [freed, room] = [(): void => undefined, 0];
  const onFreed = (listener: () => void): void => void (freed = listener);
  const { around, first } = stage({}, { roomOf: () => room, onFreed });
  const bulk = aDelivery({ deliveryId: 'dlv_2' as DeliveryId });
  const waiting = first.attempt(bulk, { ...ARRIVAL, bulkLane: 'dispatcher.events.bulk-0' }, NOBODY_ASKS);
  await first.attempt(aDelivery(), ARRIVAL, NOBODY_ASKS);
  expect(around.sendings).toMatchObject([{ delivery: aDelivery() }]);
  room = 1;
  freed();
  await waiting;
  expect(around.sendings).toMatchObject([{ delivery: aDelivery() }, { delivery: bulk }]);
});

it.each([
  ['settled by then', true],
  ['no longer of a message of ours', false],
])('is not made once its turn comes if a copy was attempted while it waited, since it is %s', async (_why, isOurs) => {
  let [freed, room] = [(): void => undefined, 0];
  const onFreed = (listener: () => void): void => void (freed = listener);
  const { around, first, controller } = stage({}, { roomOf: () => room, onFreed });
  const arrival = { ...ARRIVAL, bulkLane: 'dispatcher.events.bulk-0', isOurs: () => isOurs };
  const waiting = first.attempt(aDelivery(), arrival, NOBODY_ASKS);
  await controller.handle(aDeliveryMessage(aDelivery({ cameBefore: true }), { queue: QUEUES.deliveries }));
  expect(around.sendings).toHaveLength(1);
  room = 1;
  freed();
  await waiting;
  expect(around.sendings).toHaveLength(1);
});

it('tells that it begins, and that its POST is over before it records that', async () => {
  const { around, first } = stage();
  const { steps } = around;
  await first.attempt(aDelivery(), ARRIVAL, { begins: () => steps.push('told of it'), sent: () => steps.push('told') });
  expect(steps.filter((step) => step !== 'reported')).toEqual([
    'told of it',
    'begun',
    'sent',
    'released',
    'told',
    'recorded',
  ]);
});

describe('a first attempt that has its turn while nothing that follows from it could be made safe', () => {
  it('begins when it can', async () => {
    const { around, first, intake } = stage();
    void intake.hold(NOTHING_SAFE);
    const begins = vi.fn();
    const attempting = first.attempt(aDelivery(), ARRIVAL, { ...NOBODY_ASKS, begins });
    await settled();
    expect(begins).not.toHaveBeenCalled();
    expect(around.sendings).toEqual([]);
    intake.release(NOTHING_SAFE);
    await attempting;
    expect(around.sendings).toHaveLength(1);
  });

  it('is not made if the broker has taken its event back meanwhile; the copy that comes again is attempted', async () => {
    const { around, first, intake, controller } = stage();
    void intake.hold(NOTHING_SAFE);
    let isOurs = true;
    const begins = vi.fn();
    const attempting = first.attempt(aDelivery(), { ...ARRIVAL, isOurs: () => isOurs }, { ...NOBODY_ASKS, begins });
    const again = controller.handle(aDeliveryMessage(aDelivery({ cameBefore: true }), { queue: QUEUES.deliveries }));
    await settled();
    expect(around.sendings).toEqual([]);
    isOurs = false;
    intake.release(NOTHING_SAFE);
    await attempting;
    expect(await again).toEqual(DONE);
    expect(begins).not.toHaveBeenCalled();
    expect(around.sendings).toHaveLength(1);
  });

  it('is handed back with its event if the process stops', async () => {
    const { around, first, intake } = stage();
    void intake.hold(NOTHING_SAFE);
    const attempting = first.attempt(aDelivery(), ARRIVAL, NOBODY_ASKS);
    intake.stop();
    await expect(attempting).rejects.toThrow('the service stops');
    expect(around.sendings).toEqual([]);
  });
});
