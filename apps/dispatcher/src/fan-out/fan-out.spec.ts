import { deriveDeliveryId, type DeliveryId, type EndpointId } from '@form-webhooks/domain';
import { EVENT_RUNGS_MS, TO_DELIVERIES, toQueue } from '@form-webhooks/broker';
import {
  readDeliveryMessage,
  readEventMessage,
  type DeliveryMessage,
  type EventMessage,
} from '@form-webhooks/messages';
import { Metrics } from '@form-webhooks/telemetry';
import { describe, expect, it, vi } from 'vitest';
import { FormUnknown, type FormEndpoints } from '../endpoints/endpoint-directory.js';
import { aDelivery, aForm, anEndpoint, anEvent } from '../testing/factories.js';
import { FakeKnown, FakeLog, FakePublisher, held, settled } from '../testing/fakes.js';
import { RepeatReport } from '../repeats/repeat-report.js';
import { FanOut, type EventArrival } from './fan-out.js';

const FIRST: EventArrival = { waits: 0, redelivered: false };
const NOBODY = aForm({ endpoints: [] });
const UNREGISTERED = aForm({ registered: false, endpoints: [] });
/** Of the moment, however long ago this file was read. */
const justNow = (given: Partial<EventMessage> = {}): EventMessage => anEvent({ acceptedAt: Date.now(), ...given });
const LONG_AGO = Date.now() - 3_600_000;
const unknown = (): Promise<FormEndpoints> => Promise.reject(new FormUnknown('config does not answer'));
const finds = (form: FormEndpoints) => () => Promise.resolve(form);

function stage(lookup: () => Promise<FormEndpoints>, lookupFresh = lookup) {
  const forms = { lookup: vi.fn(lookup), lookupFresh: vi.fn(lookupFresh) };
  const [publisher, log, known] = [new FakePublisher(), new FakeLog(), new FakeKnown()];
  const fanOut = new FanOut(forms, publisher, log, known, new RepeatReport(new Metrics('spec')));
  return { forms, publisher, log, known, fanOut };
}

const deliveriesIn = ({ published }: FakePublisher): DeliveryMessage[] =>
  published.map(({ message }) => readDeliveryMessage(message.headers, message.body));

describe('fanning out an event', () => {
  it('publishes a first delivery for each enabled endpoint that listens to it', async () => {
    const form = aForm({
      endpoints: [
        anEndpoint({ id: 'we_1' }),
        anEndpoint({ id: 'we_off', enabled: false }),
        anEndpoint({ id: 'we_deaf', events: ['payment.succeeded'] }),
        anEndpoint({ id: 'we_2', events: ['draft.resumed', 'submission.created'] }),
      ],
    });
    const { fanOut, publisher, forms } = stage(finds(form));
    const event = anEvent();
    expect(await fanOut.fanOut(event, FIRST)).toBe('fanned_out');
    expect(publisher.published.map(({ to }) => to)).toEqual([TO_DELIVERIES, TO_DELIVERIES]);
    const to = (endpointId: string): DeliveryMessage =>
      aDelivery({
        ...event,
        endpointId: endpointId as EndpointId,
        deliveryId: deriveDeliveryId(event.eventId, endpointId),
      });
    expect(deliveriesIn(publisher)).toEqual([to('we_1'), to('we_2')]);
    expect(forms.lookup).toHaveBeenCalledExactlyOnceWith('f_1');
    expect(forms.lookupFresh).not.toHaveBeenCalled();
  });

  it('records the event once, with its bytes and its deliveries', async () => {
    const form = aForm({ endpoints: [anEndpoint(), anEndpoint({ id: 'we_2' })] });
    const { fanOut, publisher, log } = stage(finds(form));
    const from = Date.now();
    await fanOut.fanOut(anEvent({ acceptedAt: 1_000 }), FIRST);
    const deliveries = deliveriesIn(publisher).map(({ deliveryId, endpointId }) => ({ deliveryId, endpointId }));
    const [record] = log.records as { fannedOutAt: number }[];
    const { fannedOutAt } = record!;
    expect(log.records).toEqual([
      { ...anEvent({ acceptedAt: 1_000 }), kind: 'event', outcome: 'fanned_out', fannedOutAt, deliveries },
    ]);
    expect(fannedOutAt).toBeGreaterThanOrEqual(from);
    expect(fannedOutAt).toBeLessThanOrEqual(Date.now());
  });

  it('asks config no second time if one endpoint listens', async () => {
    const { fanOut, forms } = stage(finds(aForm({ endpoints: [anEndpoint()] })));
    await fanOut.fanOut(anEvent(), FIRST);
    expect(forms.lookupFresh).not.toHaveBeenCalled();
  });

  it('makes the same deliveries when it is run again', async () => {
    const { fanOut, publisher } = stage(finds(aForm()));
    await fanOut.fanOut(anEvent(), FIRST);
    await fanOut.fanOut(anEvent(), FIRST);
    const [first, again] = deliveriesIn(publisher);
    expect(again).toEqual(first);
  });

  it.each(['publisher', 'log'] as const)('ends only once the broker has everything: the %s', async (which) => {
    const all = stage(finds(aForm()));
    const confirm = held();
    all[which].confirms = confirm.promise;
    let ended = false;
    const work = all.fanOut.fanOut(anEvent(), FIRST).then(() => (ended = true));
    await settled();
    expect(all.publisher.published).toHaveLength(1);
    expect(ended).toBe(false);
    confirm.resolve();
    await work;
    expect(all.log.records).toHaveLength(1);
  });

  it('fails with a bug that keeps a delivery from being published', async () => {
    const { fanOut, publisher } = stage(finds(aForm()));
    publisher.confirms = Promise.reject(new TypeError('no such exchange'));
    await expect(fanOut.fanOut(anEvent(), FIRST)).rejects.toThrow('no such exchange');
  });
});

describe('an event to which nobody listens', () => {
  it('is recorded as such only on a word of config that is at most a second old', async () => {
    const { fanOut, forms, publisher, log } = stage(finds(NOBODY));
    expect(await fanOut.fanOut(anEvent(), FIRST)).toBe('no_endpoints');
    expect(forms.lookupFresh).toHaveBeenCalledExactlyOnceWith('f_1', 1_000);
    expect(publisher.published).toEqual([]);
    expect(log.records).toMatchObject([{ ...anEvent(), kind: 'event', outcome: 'no_endpoints', deliveries: [] }]);
  });

  it('is fanned out if its form has just got an endpoint', async () => {
    const { fanOut, publisher } = stage(finds(NOBODY), finds(aForm()));
    expect(await fanOut.fanOut(anEvent(), FIRST)).toBe('fanned_out');
    expect(deliveriesIn(publisher)).toHaveLength(1);
  });

  it.each([
    ['is switched off', anEndpoint({ enabled: false })],
    ['listens to other events', anEndpoint({ events: ['payment.succeeded'] })],
  ])('is fanned out if the only endpoint that was known, which %s, has changed', async (_what, known) => {
    const { fanOut } = stage(finds(aForm({ endpoints: [known] })), finds(aForm()));
    expect(await fanOut.fanOut(anEvent(), FIRST)).toBe('fanned_out');
  });

  it('is told apart from one whose form is not registered', async () => {
    const { fanOut, publisher, log } = stage(finds(UNREGISTERED));
    expect(await fanOut.fanOut(anEvent({ acceptedAt: LONG_AGO }), FIRST)).toBe('not_registered');
    expect(publisher.published).toEqual([]);
    expect(log.records).toMatchObject([{ outcome: 'not_registered', deliveries: [] }]);
  });

  it('is not waited for if its form was removed', async () => {
    const { fanOut } = stage(finds(aForm({ registered: false, deleted: true, endpoints: [] })));
    expect(await fanOut.fanOut(anEvent(), FIRST)).toBe('not_registered');
  });
});

describe('an event whose form is about to be registered', () => {
  it.each([
    [0, 1_000],
    [1, 4_000],
    [2, 15_000],
    [3, 15_000],
    [99, 15_000],
  ])('is looked at again soon: after %i times in %i ms', async (waits, delayMs) => {
    const { fanOut, publisher } = stage(finds(UNREGISTERED));
    expect(await fanOut.fanOut(justNow(), { waits, redelivered: false })).toBe('waiting');
    expect(publisher.published.map(({ to }) => to)).toEqual([toQueue(`retry.events.${delayMs}`)]);
  });

  it('waits on while its form has no endpoint yet, and is sent once it has one', async () => {
    const { fanOut, forms, publisher } = stage(finds(NOBODY));
    expect(await fanOut.fanOut(justNow(), { waits: 1, redelivered: false })).toBe('waiting');
    forms.lookup.mockImplementation(finds(aForm()));
    expect(await fanOut.fanOut(justNow(), { waits: 2, redelivered: false })).toBe('fanned_out');
    expect(publisher.published.map(({ to }) => to)).toEqual([toQueue('retry.events.4000'), TO_DELIVERIES]);
  });

  it('waits no longer than a minute', async () => {
    const { fanOut } = stage(finds(NOBODY));
    const waited = { waits: 5, redelivered: false };
    expect(await fanOut.fanOut(anEvent({ acceptedAt: Date.now() - 60_000 }), waited)).toBe('no_endpoints');
  });

  it('is in the log from the first time on, and only then', async () => {
    const { fanOut, log } = stage(finds(UNREGISTERED));
    await fanOut.fanOut(justNow({ key: 'k' }), FIRST);
    await fanOut.fanOut(justNow({ key: 'k' }), { waits: 1, redelivered: false });
    expect(log.records).toMatchObject([{ key: 'k', kind: 'event', outcome: 'waiting', deliveries: [] }]);
  });
});

describe('an event that came before', () => {
  const [first, second] = ['we_1', 'we_2'].map((id) => deriveDeliveryId('evt_1', id)) as [DeliveryId, DeliveryId];
  const two = finds(aForm({ endpoints: [anEndpoint(), anEndpoint({ id: 'we_2' })] }));
  const AGAIN: EventArrival = { waits: 0, redelivered: true };

  it('is not asked about if it can not have come before', async () => {
    const { fanOut, known } = stage(two);
    await fanOut.fanOut(anEvent(), FIRST);
    expect(known.asked).toEqual([]);
  });

  it('with its caller’s key makes no delivery that the log knows, whatever became of it', async () => {
    const { fanOut, known, publisher, log } = stage(two);
    known.knows = [
      { delivery_id: first, generation: 0, is_final: true },
      { delivery_id: second, generation: 0, is_final: false },
    ];
    expect(await fanOut.fanOut(anEvent({ key: 'k' }), FIRST)).toBe('repeated');
    expect(known.asked).toEqual([first, second]);
    expect(publisher.published).toEqual([]);
    expect(log.records).toEqual([]);
  });

  it('makes a delivery for an endpoint that did not get it', async () => {
    const { fanOut, known, publisher } = stage(two);
    known.knows = [{ delivery_id: first, generation: 0, is_final: true }];
    expect(await fanOut.fanOut(anEvent({ key: 'k' }), FIRST)).toBe('fanned_out');
    expect(deliveriesIn(publisher)).toEqual([expect.objectContaining({ deliveryId: second })]);
  });

  it('from the broker makes what the log does not know: a fan-out that was cut off recorded nothing', async () => {
    const { fanOut, known, publisher } = stage(two);
    known.knows = [{ delivery_id: first, generation: 0, is_final: false }];
    expect(await fanOut.fanOut(anEvent(), AGAIN)).toBe('fanned_out');
    expect(known.asked).toEqual([first, second]);
    expect(deliveriesIn(publisher)).toEqual([expect.objectContaining({ deliveryId: second })]);
  });

  it('is recorded only once its deliveries are safe, so that whatever the log knows was published', async () => {
    const { fanOut, publisher, log } = stage(two);
    const confirm = held();
    publisher.confirms = confirm.promise;
    const work = fanOut.fanOut(anEvent(), FIRST);
    await settled();
    expect(log.records).toEqual([]);
    confirm.resolve();
    await work;
    expect(log.records).toHaveLength(1);
  });
});

describe('an event whose form is not known now', () => {
  it.each([
    [0, 1_000],
    [1, 4_000],
    [2, 15_000],
    [3, 60_000],
    [4, 60_000],
    [99, 60_000],
  ])('waits longer each time, a minute at most: after %i times %i ms', async (waits, delayMs) => {
    const { fanOut, publisher, log } = stage(unknown);
    expect(await fanOut.fanOut(anEvent(), { waits, redelivered: false })).toBe('waiting');
    expect(EVENT_RUNGS_MS).toContain(delayMs);
    const [{ to, message }] = publisher.published as [FakePublisher['published'][number]];
    expect(publisher.published).toHaveLength(1);
    expect(to).toEqual(toQueue(`retry.events.${delayMs}`));
    expect(readEventMessage(message.headers, message.body)).toEqual(anEvent());
    expect(message.headers['waits']).toBe(waits + 1);
    expect(log.records).toHaveLength(waits === 0 ? 1 : 0);
  });

  it('waits too if config can not be asked whether there is really nobody', async () => {
    const { fanOut, publisher } = stage(finds(NOBODY), unknown);
    expect(await fanOut.fanOut(anEvent(), FIRST)).toBe('waiting');
    expect(publisher.published).toHaveLength(1);
  });

  it('is handled only once the broker has it where it waits', async () => {
    const { fanOut, publisher } = stage(unknown);
    const confirm = held();
    publisher.confirms = confirm.promise;
    let ended = false;
    const work = fanOut.fanOut(anEvent(), FIRST).then(() => (ended = true));
    await settled();
    expect(ended).toBe(false);
    confirm.resolve();
    await work;
  });

  it('does not wait for a bug in the lookup', async () => {
    const { fanOut, publisher } = stage(() => Promise.reject(new TypeError('no such member')));
    await expect(fanOut.fanOut(anEvent(), FIRST)).rejects.toThrow('no such member');
    expect(publisher.published).toEqual([]);
  });
});
