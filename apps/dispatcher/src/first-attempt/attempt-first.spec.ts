import { DONE, QUEUES, parkedQueueOf, toQueue } from '@form-webhooks/broker';
import { readDeliveryMessage } from '@form-webhooks/messages';
import { Metrics } from '@form-webhooks/telemetry';
import { expect, it, vi } from 'vitest';
import { RepeatReport } from '../repeats/repeat-report.js';
import { DeliveryFences } from '../retry/delivery-fences.js';
import { RedeliveredDue } from '../retry/redelivered-due.js';
import { AttemptStage, type Behaviour } from '../testing/attempt-stage.js';
import { aDelivery, aDeliveryMessage, anAnswer } from '../testing/factories.js';
import { FakeKnown, freeToWork } from '../testing/fakes.js';
import { AttemptFirst } from './attempt-first.js';
import { AttemptUnlessFinal } from '../attempt/attempt-unless-final.js';
import { DeliveriesController } from '../attempt/deliveries.controller.js';
import { FirstTurns } from './first-turns.js';
import { DeliveryTracker } from '../attempt/delivery-tracker.js';

const ROOM = { roomOf: () => Infinity, onFreed: () => undefined };

function stage(behaviour: Behaviour = {}) {
  const around = new AttemptStage(behaviour);
  const { attempts, log, publisher } = around;
  const tracker = new DeliveryTracker();
  const unlessFinal = new AttemptUnlessFinal(attempts, new FakeKnown(), new RepeatReport(new Metrics('spec')));
  const controller = new DeliveriesController(
    unlessFinal,
    tracker,
    new DeliveryFences(log, publisher),
    new RedeliveredDue(publisher),
    freeToWork(),
  );
  return {
    around,
    controller,
    first: new AttemptFirst(attempts, tracker, publisher, new FirstTurns(10, () => 0, ROOM)),
  };
}

it('makes the first attempt at once and ends when it is settled', async () => {
  const { around, first } = stage();
  await first.attempt(aDelivery(), undefined, () => undefined);
  expect(around.sendings).toMatchObject([{ delivery: aDelivery() }]);
  expect(around.record.state).toBe('delivered');
});

it('is known to the queue by which the same delivery comes: there is one POST', async () => {
  const { around, first, controller } = stage();
  const again = aDeliveryMessage(aDelivery({ cameBefore: true }), { queue: QUEUES.deliveries });
  const [, verdict] = await Promise.all([
    first.attempt(aDelivery(), undefined, () => undefined),
    controller.handleNew(again),
  ]);
  expect(verdict).toEqual(DONE);
  await controller.handleNew(again);
  expect(around.sendings).toHaveLength(1);
});

it('a bug that keeps the POST from being made is the caller’s, who hands the event back', async () => {
  const { around, first } = stage({ receiver: new TypeError('no such member') });
  await expect(first.attempt(aDelivery(), undefined, () => undefined)).rejects.toThrow('no such member');
  expect(around.publisher.published).toEqual([]);
});

it('a bug after the POST parks this delivery alone, with the reason, so that its event is done with', async () => {
  const { around, first } = stage({ receiver: anAnswer(503) });
  vi.spyOn(around.log, 'record').mockRejectedValue(new TypeError('no such member'));
  await first.attempt(aDelivery(), undefined, () => undefined);
  const [{ to, message }] = around.publisher.published as [(typeof around.publisher.published)[number]];
  expect(to).toEqual(toQueue(parkedQueueOf(QUEUES.deliveries)));
  expect(readDeliveryMessage(message.headers, message.body)).toEqual(aDelivery());
  expect(message.headers['parked_reason']).toBe(
    'its POST was made, but a bug kept it from being settled: TypeError: no such member',
  );
});
