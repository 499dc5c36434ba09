import { deriveDeliveryId } from '@form-webhooks/domain';
import { DONE, laneQueueOf, QUEUES, TO_DELIVERIES, toQueue } from '@form-webhooks/broker';
import { CAME_BEFORE, fenceHeaders } from '@form-webhooks/messages';
import type { DeliverySettings } from '@form-webhooks/settings';
import { Metrics, NO_TRACING } from '@form-webhooks/telemetry';
import { expect, it, vi } from 'vitest';
import { FormUnknown, type FormEndpoints } from '../endpoints/form-endpoints.js';
import { aForm, aMessage, anEvent, anEventMessage } from '../testing/factories.js';
import {
  FakeFirstAttempts,
  FakeKnown,
  FakeLog,
  FakePublisher,
  freeToWork,
  held,
  readableLogger,
  samplesOf,
  settled,
} from '../testing/fakes.js';
import { RepeatReport } from '../repeats/repeat-report.js';
import { EventDeliveries } from './event-deliveries.js';
import { EventsController } from './events.controller.js';
import { FanOut } from './fan-out.js';
import { RepeatedDeliveries } from './repeated-deliveries.js';
import { WaitingRoom } from './waiting-room.js';
import { FanOutReport } from './fan-out-report.js';

const SETTINGS = { maxAgeMs: 86_400_000 } as DeliverySettings;

function stage(lookup: () => Promise<FormEndpoints> = () => Promise.resolve(aForm())) {
  const [publisher, log, metrics] = [new FakePublisher(), new FakeLog(), new Metrics('spec')];
  const known = new FakeKnown();
  const { logger, lines } = readableLogger();
  const first = new FakeFirstAttempts();
  const repeats = new RepeatedDeliveries(known, new RepeatReport(metrics));
  const deliveries = new EventDeliveries(publisher, log, first, repeats, new WaitingRoom());
  const fanOut = new FanOut({ lookup, lookupFresh: lookup }, deliveries, publisher, log, SETTINGS);
  const controller = new EventsController(
    fanOut,
    new FanOutReport(metrics, logger),
    freeToWork(),
    publisher,
    NO_TRACING,
  );
  const outcomes = async (): Promise<string[]> =>
    (await samplesOf(metrics, 'webhook_events_total')).filter((line) => !line.endsWith(' 0'));
  return { publisher, log, known, first, lines, metrics, outcomes, controller };
}

it('an event is done with once its deliveries are safe, and counted by what became of it', async () => {
  const { first, outcomes, lines, controller } = stage();
  const end = held();
  first.ends = () => end.promise;
  let ended = false;
  const handling = controller.handle(anEventMessage(anEvent())).then((verdict) => ((ended = true), verdict));
  await settled();
  expect(first.attempted).toHaveLength(1);
  expect(ended).toBe(false);
  end.resolve();
  expect(await handling).toEqual(DONE);
  expect(await outcomes()).toEqual(['webhook_events_total{outcome="fanned_out"} 1']);
  expect(lines).toMatchObject([{ msg: 'event.fanned_out', event_id: 'evt_1', form_id: 'f_1', outcome: 'fanned_out' }]);
});

it('an event that can not be read is parked with the reason', async () => {
  const { publisher, controller } = stage();
  const message = anEventMessage(anEvent());
  const verdict = await controller.handle({ ...message, headers: { ...message.headers, event: 'form.deleted' } });
  expect(verdict).toEqual({ kind: 'park', reason: expect.stringMatching(/^header event /) });
  expect(publisher.published).toEqual([]);
});

it('an event that the broker took back before is done with, but not fanned out', async () => {
  const { first, outcomes, controller } = stage();
  expect(await controller.handle(anEventMessage(anEvent(), { isOurs: () => false }))).toEqual(DONE);
  expect(first.attempted).toEqual([]);
  expect(await outcomes()).toEqual([]);
});

it('an event is neither parked nor done with if a bug stops its fan-out', async () => {
  const { outcomes, controller } = stage(() => Promise.reject(new TypeError('no such member')));
  await expect(controller.handle(anEventMessage(anEvent()))).rejects.toThrow('no such member');
  expect(await outcomes()).toEqual([]);
});

it('an event tells once how long it waited in its lane: not again when it has waited for its form', async () => {
  const { metrics, controller } = stage();
  const message = anEventMessage(anEvent(), { queue: laneQueueOf('bulk-1') });
  await controller.handle(message);
  await controller.handle({ ...message, headers: { ...message.headers, waits: 2 } });
  const counts = await samplesOf(metrics, 'webhook_event_wait_seconds_count');
  expect(counts.filter((line) => !line.endsWith(' 0'))).toEqual([expect.stringMatching(/lane="bulk"\} 1$/)]);
});

it.each([
  ['none, as ingest sends it', undefined, 1],
  ['a count', 2, 3],
  ['something else', 'twice', 1],
])('an event that waits counts its waits on from %s', async (_, waits, next) => {
  const { publisher, controller } = stage(vi.fn(() => Promise.reject(new FormUnknown('down'))));
  const message = anEventMessage(anEvent());
  await controller.handle({ ...message, headers: { ...message.headers, ...(waits !== undefined && { waits }) } });
  expect(publisher.published[0]!.message.headers['waits']).toBe(next);
});

it('an event that waits keeps its lane', async () => {
  const { publisher, controller } = stage(() => Promise.reject(new FormUnknown('down')));
  await controller.handle(anEventMessage(anEvent(), { queue: laneQueueOf('bulk-1') }));
  expect(publisher.published[0]!.to).toEqual(toQueue('retry.events.1000.bulk-1'));
});

it('an event that was handed over before it waited for its form makes what nobody holds any more', async () => {
  let isKnown = false;
  const { publisher, known, controller } = stage(() =>
    isKnown ? Promise.resolve(aForm()) : Promise.reject(new FormUnknown('down')),
  );
  await controller.handle(anEventMessage(anEvent(), { redelivered: true }));
  const { headers } = publisher.published[0]!.message;
  isKnown = true;
  known.knows = [
    { delivery_id: deriveDeliveryId('evt_1', 'we_1'), generation: 0, try: 0, deferrals: 0, is_final: false },
  ];
  await controller.handle({ ...anEventMessage(anEvent()), headers });
  expect(publisher.published.slice(1).map(({ to }) => to)).toEqual([TO_DELIVERIES]);
});

it('an event that was put back to work makes its deliveries, though the log knows them and it has its caller’s key', async () => {
  const { publisher, known, outcomes, controller } = stage();
  known.knows = [
    { delivery_id: deriveDeliveryId('evt_1', 'we_1'), generation: 0, try: 0, deferrals: 0, is_final: false },
  ];
  const message = anEventMessage(anEvent({ key: 'k' }));
  expect(await controller.handle({ ...message, headers: { ...message.headers, [CAME_BEFORE]: 1 } })).toEqual(DONE);
  expect(publisher.published.map(({ to }) => to)).toEqual([TO_DELIVERIES]);
  expect(await outcomes()).toEqual(['webhook_events_total{outcome="fanned_out"} 1']);
});

it('an event whose form is missing is counted as such, and alarms once a minute', async () => {
  const missing = aForm({ registered: false, missing: true, endpoints: [] });
  const { outcomes, lines, controller } = stage(() => Promise.resolve(missing));
  const event = anEvent({ acceptedAt: Date.now() });
  for (let n = 0; n < 3; n++) expect(await controller.handle(anEventMessage(event))).toEqual(DONE);
  expect(await outcomes()).toEqual(['webhook_events_total{outcome="form_missing"} 3']);
  const alarms = lines.filter((line) => (line as { msg: string }).msg.includes('has lost a form that it had'));
  expect(alarms).toMatchObject([{ event_id: 'evt_1', form_id: 'f_1' }]);
});

it('an event that the broker hands over again makes no delivery that has ended', async () => {
  const { publisher, known, outcomes, controller } = stage();
  const deliveryId = deriveDeliveryId('evt_1', 'we_1');
  known.knows = [{ delivery_id: deliveryId, generation: 0, is_final: true }];
  expect(await controller.handle(anEventMessage(anEvent(), { redelivered: true }))).toEqual(DONE);
  expect(publisher.published).toEqual([]);
  expect(await outcomes()).toEqual(['webhook_events_total{outcome="repeated"} 1']);
});

it('a fence goes on to where an event that came before sends its deliveries', async () => {
  const { publisher, controller } = stage();
  const confirm = held();
  publisher.confirms = confirm.promise;
  const fence = fenceHeaders({ fenceId: 'rec_1', queue: QUEUES.deliveries, sentAt: 1_000 });
  let ended = false;
  const message = aMessage({ queue: QUEUES.events, headers: fence });
  const handling = controller.handle(message).then((verdict) => ((ended = true), verdict));
  await settled();
  expect(publisher.published).toEqual([{ to: TO_DELIVERIES, message: { headers: fence, body: Buffer.alloc(0) } }]);
  expect(ended).toBe(false);
  confirm.resolve();
  expect(await handling).toEqual(DONE);
});

it.each([
  [QUEUES.events, undefined],
  [laneQueueOf('large'), undefined],
  [laneQueueOf('bulk-3'), laneQueueOf('bulk-3')],
])('the attempts of what comes by %s wait in a bulk lane: %s', async (queue, bulkLane) => {
  const { first, controller } = stage();
  const attempt = vi.spyOn(first, 'attempt');
  await controller.handle(anEventMessage(anEvent(), { queue }));
  expect(attempt).toHaveBeenCalledExactlyOnceWith(
    expect.anything(),
    expect.objectContaining({ bulkLane }),
    expect.anything(),
  );
});
