import { deriveDeliveryId, type DeliveryId, type EndpointId } from '@form-webhooks/domain';
import { EVENT_RUNGS_MS, LARGE_EVENT_BYTES, laneQueueOf, TO_DELIVERIES, toQueue } from '@form-webhooks/broker';
import {
  CAME_BEFORE,
  readDeliveryMessage,
  readEventMessage,
  type DeliveryMessage,
  type EventMessage,
} from '@form-webhooks/messages';
import type { DeliverySettings } from '@form-webhooks/settings';
import { Metrics } from '@form-webhooks/telemetry';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FormUnknown, type FormEndpoints } from '../endpoints/form-endpoints.js';
import { aDelivery, aForm, anArrival, anEndpoint, anEvent } from '../testing/factories.js';
import { FakeFirstAttempts, FakeKnown, FakeLog, FakePublisher, held, settled } from '../testing/fakes.js';
import { RepeatReport } from '../repeats/repeat-report.js';
import type { EventArrival } from './event-arrival.js';
import { EventDeliveries, type FirstProgress } from './event-deliveries.js';
import { FanOut } from './fan-out.js';
import { RepeatedDeliveries } from './repeated-deliveries.js';
import { WaitingRoom } from './waiting-room.js';

const FIRST = anArrival();
const AGAIN: EventArrival = { ...FIRST, redelivered: true };
const NOBODY = aForm({ endpoints: [] });
const UNREGISTERED = aForm({ registered: false, endpoints: [] });
/** Of the moment, however long ago this file was read. */
const justNow = (given: Partial<EventMessage> = {}): EventMessage => anEvent({ acceptedAt: Date.now(), ...given });
const LONG_AGO = Date.now() - 3_600_000;
const MAX_AGE_MS = 24 * 3_600_000;
const unknown = (): Promise<FormEndpoints> => Promise.reject(new FormUnknown('config does not answer'));
const finds = (form: FormEndpoints) => () => Promise.resolve(form);

function stage(lookup: () => Promise<FormEndpoints>, lookupFresh = lookup) {
  const forms = { lookup: vi.fn(lookup), lookupFresh: vi.fn(lookupFresh) };
  const [publisher, log, known, first] = [new FakePublisher(), new FakeLog(), new FakeKnown(), new FakeFirstAttempts()];
  const repeats = new RepeatedDeliveries(known, new RepeatReport(new Metrics('spec')));
  const settings = { maxAgeMs: MAX_AGE_MS } as DeliverySettings;
  const fanOut = new FanOut(
    forms,
    new EventDeliveries(publisher, log, first, repeats, new WaitingRoom()),
    publisher,
    log,
    settings,
  );
  return { forms, publisher, log, known, first, fanOut };
}

const deliveriesIn = ({ published }: FakePublisher): DeliveryMessage[] =>
  published.map(({ message }) => readDeliveryMessage(message.headers, message.body));

describe('of a queue with more than wait for their first attempts', () => {
  const FIFTY = aForm({ endpoints: Array.from({ length: 50 }, (_, n) => anEndpoint({ id: `we_${n}` })) });

  /** Deliveries of which only as many begin as the test lets. */
  function crowded() {
    const around = stage(finds(FIFTY));
    const begins: (() => void)[] = [];
    vi.spyOn(around.first, 'attempt').mockImplementation((_delivery, _arrival, told) => {
      return new Promise((resolve, reject) => {
        begins.push(() => (told.begins(), resolve()));
        fails.push(() => reject(new Error('stopped')));
      });
    });
    const fails: (() => void)[] = [];
    const come = (events: number, arrival = FIRST): Promise<unknown>[] =>
      Array.from({ length: events }, (_, n) =>
        around.fanOut.fanOut(justNow({ eventId: `evt_${n}` as never }), arrival),
      );
    return { ...around, begins, fails, come };
  }

  it('events wait as they came until enough of these have begun', async () => {
    const { begins, come } = crowded();
    const all = come(6);
    await settled();
    expect(begins).toHaveLength(200);
    begins[0]!();
    await settled();
    expect(begins).toHaveLength(250);
    for (let begun = 1; begun < 300; begun++) {
      begins[begun]!();
      await settled();
    }
    expect(await Promise.all(all)).toEqual(Array(6).fill('fanned_out'));
  });

  it('events take the places of those that are handed back at a stop', async () => {
    const { fails, come } = crowded();
    const all = Promise.allSettled(come(6));
    for (let failed = 0; failed < 300; failed++) {
      await settled();
      fails[failed]!();
    }
    expect((await all).map(({ status }) => status)).toEqual(Array(6).fill('rejected'));
  });

  it('events that the broker takes back while they wait are left to whoever gets them', async () => {
    const { publisher, log, come } = crowded();
    const confirm = held();
    publisher.confirms = confirm.promise;
    let isOurs = true;
    const all = come(6, { ...AGAIN, isOurs: () => isOurs });
    await settled();
    isOurs = false;
    confirm.resolve();
    await Promise.all(all);
    expect(publisher.published).toHaveLength(200);
    expect(log.records).toHaveLength(4);
  });

  it('the messages of events that came before are not all published at a time', async () => {
    const { publisher, come } = crowded();
    const confirm = held();
    publisher.confirms = confirm.promise;
    const all = come(6, AGAIN);
    await settled();
    expect(publisher.published).toHaveLength(200);
    confirm.resolve();
    expect(await Promise.all(all)).toEqual(Array(6).fill('fanned_out'));
    expect(publisher.published).toHaveLength(300);
  });
});

describe('fanning out an event', () => {
  it('makes the first attempt for each enabled endpoint that listens to it, and no message', async () => {
    const form = aForm({
      endpoints: [
        anEndpoint({ id: 'we_1' }),
        anEndpoint({ id: 'we_off', enabled: false }),
        anEndpoint({ id: 'we_deaf', events: ['payment.succeeded'] }),
        anEndpoint({ id: 'we_2', events: ['draft.resumed', 'submission.created'] }),
      ],
    });
    const { fanOut, publisher, first, forms } = stage(finds(form));
    const event = anEvent();
    expect(await fanOut.fanOut(event, FIRST)).toBe('fanned_out');
    expect(publisher.published).toEqual([]);
    const to = (endpointId: string): DeliveryMessage =>
      aDelivery({
        ...event,
        endpointId: endpointId as EndpointId,
        deliveryId: deriveDeliveryId(event.eventId, endpointId),
      });
    expect(first.attempted).toEqual([to('we_1'), to('we_2')]);
    expect(forms.lookup).toHaveBeenCalledExactlyOnceWith('f_1');
    expect(forms.lookupFresh).not.toHaveBeenCalled();
  });

  it('records the event once, with its bytes and its deliveries', async () => {
    const form = aForm({ endpoints: [anEndpoint(), anEndpoint({ id: 'we_2' })] });
    const { fanOut, first, log } = stage(finds(form));
    const from = Date.now();
    await fanOut.fanOut(anEvent({ acceptedAt: 1_000 }), FIRST);
    const deliveries = first.attempted.map(({ deliveryId, endpointId }) => ({ deliveryId, endpointId }));
    const [record] = log.records as { fannedOutAt: number }[];
    const { fannedOutAt } = record!;
    expect(log.records).toEqual([
      { ...anEvent({ acceptedAt: 1_000 }), kind: 'event', outcome: 'fanned_out', fannedOutAt, deliveries },
    ]);
    expect(fannedOutAt).toBeGreaterThanOrEqual(from);
    expect(fannedOutAt).toBeLessThanOrEqual(Date.now());
  });

  it('records an event with the first of its attempts that is over, however long the others take', async () => {
    const { fanOut, first, log } = stage(finds(aForm({ endpoints: [anEndpoint(), anEndpoint({ id: 'we_2' })] })));
    const ends = { we_1: held(), we_2: held() };
    first.ends = ({ endpointId }) => ends[endpointId as 'we_1' | 'we_2'].promise;
    const fanningOut = fanOut.fanOut(anEvent(), FIRST);
    await settled();
    expect(log.records).toEqual([]);
    ends.we_2.resolve();
    await settled();
    expect(log.records).toHaveLength(1);
    ends.we_1.resolve();
    expect(await fanningOut).toBe('fanned_out');
    expect(log.records).toHaveLength(1);
  });

  describe('that takes a second', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
    afterEach(() => void vi.useRealTimers());

    it('shows it by then, for its attempts may wait for their turn for long', async () => {
      const { fanOut, first, log } = stage(finds(aForm()));
      const ends = held();
      vi.spyOn(first, 'attempt').mockReturnValue(ends.promise);
      const fanningOut = fanOut.fanOut(anEvent(), FIRST);
      await settled();
      vi.advanceTimersByTime(999);
      expect(log.records).toEqual([]);
      vi.advanceTimersByTime(1);
      expect(log.records).toHaveLength(1);
      ends.resolve();
      await fanningOut;
      expect(log.records).toHaveLength(1);
    });

    it('counts it from the first attempt of a bulk lane: before that it would be taken for lost', async () => {
      const { fanOut, first, log } = stage(finds(aForm({ endpoints: [anEndpoint(), anEndpoint({ id: 'we_2' })] })));
      const told: FirstProgress[] = [];
      const ends = held();
      vi.spyOn(first, 'attempt').mockImplementation((_delivery, _arrival, progress) => {
        told.push(progress);
        return ends.promise;
      });
      const fanningOut = fanOut.fanOut(anEvent(), { ...FIRST, bulkLane: 'dispatcher.events.bulk-0' });
      await settled();
      vi.advanceTimersByTime(10_000);
      expect(log.records).toEqual([]);
      for (const progress of told) progress.begins();
      vi.advanceTimersByTime(1_000);
      expect(log.records).toHaveLength(1);
      ends.resolve();
      expect(await fanningOut).toBe('fanned_out');
      expect(log.records).toHaveLength(1);
    });

    it('leaves no timer behind, whatever comes of it', async () => {
      const { fanOut, first } = stage(finds(aForm()));
      vi.spyOn(first, 'attempt').mockRejectedValueOnce(new TypeError('a bug'));
      await expect(fanOut.fanOut(anEvent(), FIRST)).rejects.toThrow('a bug');
      await fanOut.fanOut(anEvent(), FIRST);
      expect(vi.getTimerCount()).toBe(0);
    });
  });

  it.each([
    ['is ours, though no attempt had to begin', true, 1],
    ['the broker has taken back before any began: whoever gets it next records it', false, 0],
  ])('records an event of a bulk lane at its end if it %s', async (_what, isOurs, records) => {
    const { fanOut, first, log } = stage(finds(aForm()));
    vi.spyOn(first, 'attempt').mockResolvedValue();
    await fanOut.fanOut(anEvent(), { ...FIRST, bulkLane: 'dispatcher.events.bulk-0', isOurs: () => isOurs });
    expect(log.records).toHaveLength(records);
  });

  it('waits for a record that was begun also once the broker has taken the event back', async () => {
    const { fanOut, log } = stage(finds(aForm()));
    log.confirms = Promise.reject(new TypeError('a bug'));
    await expect(fanOut.fanOut(anEvent(), { ...FIRST, isOurs: () => false })).rejects.toThrow('a bug');
  });

  it.each([
    ['to which nobody listens', finds(NOBODY), FIRST],
    ['whose form is not known now', unknown, FIRST],
    ['that came before', finds(aForm()), AGAIN],
  ])('ends only once the log has what became of an event %s', async (_what, lookup, arrival) => {
    const { fanOut, log } = stage(lookup);
    log.confirms = Promise.reject(new TypeError('a bug'));
    await expect(fanOut.fanOut(anEvent(), arrival)).rejects.toThrow('a bug');
  });

  it('asks config no second time if one endpoint listens', async () => {
    const { fanOut, forms } = stage(finds(aForm({ endpoints: [anEndpoint()] })));
    await fanOut.fanOut(anEvent(), FIRST);
    expect(forms.lookupFresh).not.toHaveBeenCalled();
  });

  it('makes the same deliveries when it is run again', async () => {
    const { fanOut, first } = stage(finds(aForm()));
    await fanOut.fanOut(anEvent(), FIRST);
    await fanOut.fanOut(anEvent(), FIRST);
    const [once, again] = first.attempted;
    expect(again).toEqual(once);
  });

  it.each([
    ['the attempt', 0],
    ['the log', 1],
  ])('ends only once all of it has: %s', async (which, records) => {
    const { fanOut, first, log } = stage(finds(aForm()));
    const end = held();
    if (which === 'the log') log.confirms = end.promise;
    else first.ends = () => end.promise;
    let ended = false;
    const work = fanOut.fanOut(anEvent(), FIRST).then(() => (ended = true));
    await settled();
    expect([first.attempted.length, log.records.length]).toEqual([1, records]);
    expect(ended).toBe(false);
    end.resolve();
    await work;
  });

  it('fails with a bug that keeps a delivery from being attempted, but not before the others have ended', async () => {
    const { fanOut, first } = stage(finds(aForm({ endpoints: [anEndpoint(), anEndpoint({ id: 'we_2' })] })));
    const other = held();
    first.ends = ({ endpointId }) => (endpointId === 'we_1' ? Promise.reject(new TypeError('a bug')) : other.promise);
    let failed = false;
    const work = fanOut.fanOut(anEvent(), FIRST).catch((error: unknown) => ((failed = true), error));
    await settled();
    expect(failed).toBe(false);
    other.resolve();
    expect(await work).toEqual(new TypeError('a bug'));
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
    const { fanOut, first } = stage(finds(NOBODY), finds(aForm()));
    expect(await fanOut.fanOut(anEvent(), FIRST)).toBe('fanned_out');
    expect(first.attempted).toHaveLength(1);
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
    expect(await fanOut.fanOut(justNow(), { ...FIRST, waits })).toBe('waiting');
    expect(publisher.published.map(({ to }) => to)).toEqual([toQueue(`retry.events.${delayMs}`)]);
  });

  it('waits on while its form has no endpoint yet, and is sent once it has one', async () => {
    const { fanOut, forms, first, publisher } = stage(finds(NOBODY));
    expect(await fanOut.fanOut(justNow(), { ...FIRST, waits: 1 })).toBe('waiting');
    forms.lookup.mockImplementation(finds(aForm()));
    expect(await fanOut.fanOut(justNow(), { ...FIRST, waits: 2 })).toBe('fanned_out');
    expect(publisher.published.map(({ to }) => to)).toEqual([toQueue('retry.events.4000')]);
    expect(first.attempted).toHaveLength(1);
  });

  it('waits no longer than a minute', async () => {
    const { fanOut } = stage(finds(NOBODY));
    const waited = { ...FIRST, waits: 5 };
    expect(await fanOut.fanOut(anEvent({ acceptedAt: Date.now() - 60_000 }), waited)).toBe('no_endpoints');
  });

  it('is in the log from the first time on, and only then', async () => {
    const { fanOut, log } = stage(finds(UNREGISTERED));
    await fanOut.fanOut(justNow({ key: 'k' }), FIRST);
    await fanOut.fanOut(justNow({ key: 'k' }), { ...FIRST, waits: 1 });
    expect(log.records).toMatchObject([{ key: 'k', kind: 'event', outcome: 'waiting', deliveries: [] }]);
  });
});

describe('an event whose form is missing from a database that had it before', () => {
  const MISSING = aForm({ registered: false, endpoints: [], missing: true });
  const accepted = (agoMs: number): EventMessage => anEvent({ acceptedAt: Date.now() - agoMs });

  it('waits a minute at most at a time, for as long as its deliveries could', async () => {
    const { fanOut, forms, first, publisher, log } = stage(finds(MISSING));
    const long = { ...FIRST, waits: 30 };
    expect(await fanOut.fanOut(accepted(MAX_AGE_MS - 60_000), long)).toBe('form_missing');
    expect(publisher.published.map(({ to }) => to)).toEqual([toQueue('retry.events.60000')]);
    expect(log.records).toEqual([]);
    forms.lookup.mockImplementation(finds(aForm()));
    expect(await fanOut.fanOut(accepted(MAX_AGE_MS - 30_000), long)).toBe('fanned_out');
    expect(first.attempted).toHaveLength(1);
  });

  it('is found as one that waits when it comes late', async () => {
    const { fanOut, log } = stage(finds(MISSING));
    expect(await fanOut.fanOut(anEvent({ acceptedAt: LONG_AGO }), FIRST)).toBe('form_missing');
    expect(log.records).toMatchObject([{ outcome: 'waiting', deliveries: [] }]);
  });

  it('ends after that as one of a form that is not registered', async () => {
    const { fanOut, log, publisher } = stage(finds(MISSING));
    expect(await fanOut.fanOut(accepted(MAX_AGE_MS), { ...FIRST, waits: 99 })).toBe('not_registered');
    expect(publisher.published).toEqual([]);
    expect(log.records).toMatchObject([{ outcome: 'not_registered' }]);
  });
});

describe('an event that came before', () => {
  const [first, second] = ['we_1', 'we_2'].map((id) => deriveDeliveryId('evt_1', id)) as [DeliveryId, DeliveryId];
  const two = finds(aForm({ endpoints: [anEndpoint(), anEndpoint({ id: 'we_2' })] }));
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

  it('makes the first attempt for an endpoint that did not get it', async () => {
    const { fanOut, known, first: attempts } = stage(two);
    known.knows = [{ delivery_id: first, generation: 0, is_final: true }];
    expect(await fanOut.fanOut(anEvent({ key: 'k' }), FIRST)).toBe('fanned_out');
    expect(attempts.attempted).toEqual([expect.objectContaining({ deliveryId: second })]);
  });

  it.each([
    ['does not know', []],
    ['knows only of: it was in the hands of whoever lost it', [{ try: 0, deferrals: 0 }]],
  ])('from the broker sends on, as a message that tells so, what the log %s', async (_what, known) => {
    const { fanOut, known: log, publisher, first: attempts } = stage(two);
    const standing = { delivery_id: first, generation: 0, is_final: false };
    log.knows = known.map((position) => ({ ...standing, ...position }));
    expect(await fanOut.fanOut(anEvent(), AGAIN)).toBe('fanned_out');
    expect(log.asked).toEqual([first, second]);
    expect(publisher.published.map(({ to }) => to)).toEqual([TO_DELIVERIES, TO_DELIVERIES]);
    expect(deliveriesIn(publisher)).toMatchObject([
      { deliveryId: first, cameBefore: true },
      { deliveryId: second, cameBefore: true },
    ]);
    expect(attempts.attempted).toEqual([]);
  });

  it.each([
    ['has ended', { try: 0, deferrals: 0, is_final: true }],
    ['waits for its next try', { try: 1, deferrals: 0 }],
    ['was put off', { try: 0, deferrals: 1 }],
    ['began again', { generation: 1, try: 0, deferrals: 0 }],
    ['a config of before knows of', {}],
  ])('from the broker makes none that %s', async (_what, standing) => {
    const { fanOut, known, publisher } = stage(two);
    known.knows = [{ delivery_id: first, generation: 0, is_final: false, ...standing }];
    expect(await fanOut.fanOut(anEvent(), AGAIN)).toBe('fanned_out');
    expect(deliveriesIn(publisher)).toEqual([expect.objectContaining({ deliveryId: second })]);
  });

  it('from the broker is recorded only once its deliveries are safe', async () => {
    const { fanOut, publisher, log } = stage(two);
    const confirm = held();
    publisher.confirms = confirm.promise;
    const work = fanOut.fanOut(anEvent(), AGAIN);
    await settled();
    expect(publisher.published).toHaveLength(2);
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
    [3, 15_000],
    [4, 60_000],
    [99, 60_000],
  ])('waits longer each time, a minute at most: after %i times %i ms', async (waits, delayMs) => {
    const { fanOut, publisher, log } = stage(unknown);
    expect(await fanOut.fanOut(anEvent(), { ...FIRST, waits })).toBe('waiting');
    expect(EVENT_RUNGS_MS).toContain(delayMs);
    const [{ to, message }] = publisher.published as [FakePublisher['published'][number]];
    expect(publisher.published).toHaveLength(1);
    expect(to).toEqual(toQueue(`retry.events.${delayMs}`));
    expect(readEventMessage(message.headers, message.body)).toEqual(anEvent());
    expect(message.headers['waits']).toBe(waits + 1);
    expect(log.records).toHaveLength(waits === 0 ? 1 : 0);
  });

  it.each([
    ['bulk-2', 'retry.events.1000.bulk-2', 10],
    ['large', 'retry.events.1000.large', LARGE_EVENT_BYTES + 1],
    ['normal', 'retry.events.1000.large', LARGE_EVENT_BYTES + 1],
  ] as const)(
    'comes back by its own lane, since all that waited comes at once: %s by %s',
    async (lane, queue, bytes) => {
      const { fanOut, publisher } = stage(unknown);
      await fanOut.fanOut(anEvent({ tail: Buffer.alloc(bytes) }), { ...FIRST, queue: laneQueueOf(lane) });
      expect(publisher.published.map(({ to }) => to)).toEqual([toQueue(queue)]);
    },
  );

  it.each([
    ['tells, when it comes back, that the broker had handed it over before', AGAIN, 1],
    ['comes back as new if it was new', FIRST, undefined],
  ])('%s', async (_what, arrival, cameBefore) => {
    const { fanOut, publisher } = stage(unknown);
    await fanOut.fanOut(anEvent(), arrival);
    expect(publisher.published.map(({ message }) => message.headers[CAME_BEFORE])).toEqual([cameBefore]);
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
