import { PublishFailed } from '@form-webhooks/broker';
import { spreadDelay } from '@form-webhooks/domain';
import type { DeliveryMessage } from '@form-webhooks/messages';
import { describe, expect, it, vi } from 'vitest';
import { AttemptStage, POLICY, UNKNOWN, type Behaviour } from '../testing/attempt-stage.js';
import { aDelivery, aForm, anAnswer, anEndpoint, anError, aTimeout } from '../testing/factories.js';
import { held, settled } from '../testing/fakes.js';
import { UnsettledAttempt } from './settlement.js';
import { SecretUnreadable } from './attempt-delivery.js';

/** The stage after one attempt at a delivery, and what came of it. */
async function attempt(behaviour: Behaviour, delivery = aDelivery()) {
  const stage = new AttemptStage(behaviour);
  return { stage, came: await stage.attempts.attempt(delivery) };
}

describe('an attempt', () => {
  it('goes to the endpoint as its form has it now', async () => {
    const delivery = aDelivery();
    const endpoint = anEndpoint({ url: 'https://moved.example/new' });
    const { stage } = await attempt({ form: aForm({ endpoints: [endpoint], workspaceId: 'ws_7' }) }, delivery);
    expect(stage.sendings).toEqual([{ delivery, endpoint, workspaceId: 'ws_7' }]);
  });

  it.each([
    ['200', anAnswer(200), { state: 'delivered', reason: null }],
    ['410', anAnswer(410), { state: 'failed', reason: 'gone' }],
    ['302', anAnswer(302), { state: 'failed', reason: 'redirect' }],
    ['503', anAnswer(503), { state: 'retrying', reason: null }],
    ['a status that the policy tries again', anAnswer(429), { state: 'retrying', reason: null }],
    ['nothing in time', aTimeout(), { state: 'retrying', reason: null }],
  ] as const)('that is answered with %s is settled and recorded as such', async (_, receiver, expected) => {
    const { stage, came } = await attempt({ receiver });
    expect(came).toBe('settled');
    expect(stage.record).toMatchObject({
      ...expected,
      attempt: { response: receiver.response, error: receiver.error },
    });
    expect(stage.publisher.delayed).toHaveLength(expected.state === 'retrying' ? 1 : 0);
  });

  it.each([0, 1])('that fails is tried again after the rung of its try, spread by its id: %i', async (tried) => {
    const delivery = aDelivery({ position: { try: tried } });
    const { stage } = await attempt({ receiver: anAnswer(503) }, delivery);
    expect(stage.publisher.delayed).toMatchObject([
      {
        endpointId: 'we_1',
        delayMs: spreadDelay(POLICY.schedule[tried]!, { ...delivery, tryIndex: tried }),
        delivery: { position: { generation: 0, try: tried + 1, deferrals: 0 } },
      },
    ]);
  });

  it('that fails after the last rung is the last one', async () => {
    const { stage } = await attempt({ receiver: anAnswer(503) }, aDelivery({ position: { try: 2 } }));
    expect(stage.record).toMatchObject({ state: 'failed', reason: 'exhausted' });
  });

  it('of a test send is the only one', async () => {
    const { stage, came } = await attempt({ receiver: anAnswer(503) }, aDelivery({ trigger: 'test' }));
    expect(came).toBe('settled');
    expect(stage.record).toMatchObject({ state: 'failed', reason: 'exhausted' });
  });

  it('is the last one if the next would come too late after its generation began, however old the event is', async () => {
    const longAgo = Date.now() - POLICY.deliveryMaxAgeMs;
    const { stage: old } = await attempt({ receiver: anAnswer(503) }, aDelivery({ generationStartedAt: longAgo }));
    expect(old.record).toMatchObject({ state: 'failed', reason: 'expired' });
    const { stage: replayed } = await attempt({ receiver: anAnswer(503) }, aDelivery({ acceptedAt: longAgo }));
    expect(replayed.record.state).toBe('retrying');
  });

  it('gives its slot back before anything is published', async () => {
    const { stage } = await attempt({ receiver: anAnswer(503) });
    expect(stage.steps).toEqual(['begun', 'sent', 'released', 'reported', 'published', 'recorded']);
  });

  it('tells that it asked for a slot and that its POST is over, before anything is published', async () => {
    const stage = new AttemptStage({ receiver: anAnswer(503) });
    const { steps } = stage;
    await stage.attempts.attempt(aDelivery(), { asked: () => steps.push('asked'), sent: () => steps.push('over') });
    expect(steps).toEqual(['asked', 'begun', 'sent', 'released', 'over', 'reported', 'published', 'recorded']);
  });

  it('begins, for the admission, once config was asked again: that says nothing of the receiver', async () => {
    const { stage } = await attempt({ formThen: aForm({ endpoints: [anEndpoint({ version: 2 })] }) });
    expect(stage.steps.slice(0, 3)).toEqual(['begun', 'sent', 'released']);
  });

  it('tells the admission how it went and how long it took', async () => {
    const { stage } = await attempt({ receiver: anAnswer(503, { durationMs: 37 }) });
    expect(stage.released).toEqual([{ result: { kind: 'response', status: 503 }, durationMs: 37 }]);
  });

  it('that a bug prevents gives its slot back and leaves the delivery as it was', async () => {
    const stage = new AttemptStage({ receiver: new Error('no such member') });
    vi.spyOn(performance, 'now').mockReturnValueOnce(5_000).mockReturnValueOnce(5_030);
    await expect(stage.attempts.attempt(aDelivery())).rejects.toThrow('no such member');
    expect(stage.released).toEqual([{ result: { kind: 'error', code: 'aborted' }, durationMs: 30 }]);
    expect(stage.steps).toEqual(['begun', 'sent', 'released']);
  });
});

describe('an attempt at an endpoint whose owner wants it otherwise than the installation', () => {
  it.each([
    ['404 is tried again', anAnswer(404), { retry_statuses: [404] }, 'retrying'],
    ['429 is not', anAnswer(429), { retry_statuses: [404] }, 'failed'],
    ['429 is, where the owner says nothing', anAnswer(429), { retry_statuses: null }, 'retrying'],
    ['429 is, where the owner wants something else', anAnswer(429), { redirect_is_success: true }, 'retrying'],
    ['503 is in any case', anAnswer(503), { retry_statuses: [] }, 'retrying'],
    ['302 counts as received', anAnswer(302), { redirect_is_success: true }, 'delivered'],
    ['302 does not', anAnswer(302), { redirect_is_success: null }, 'failed'],
  ] as const)('is settled as he wants: %s', async (_, receiver, wanted, state) => {
    const { stage } = await attempt({ form: aForm({ endpoints: [anEndpoint(wanted)] }), receiver });
    expect(stage.record.state).toBe(state);
  });
});

describe('an attempt at an endpoint whose owner has a schedule of his own', () => {
  it.each([
    [0, 30_000, 'retrying'],
    [1, 600_000, 'retrying'],
    [2, undefined, 'failed'],
  ] as const)('is tried again by that one: try %i', async (tried, rungMs, state) => {
    const form = aForm({ endpoints: [anEndpoint({ retry_schedule: [30_000, 600_000] })] });
    const { stage } = await attempt({ form, receiver: anAnswer(503) }, aDelivery({ position: { try: tried } }));
    expect(stage.record.state).toBe(state);
    const delays = stage.publisher.delayed.map(({ delayMs }) => delayMs);
    expect(delays).toHaveLength(rungMs === undefined ? 0 : 1);
    for (const delayMs of delays) expect(delayMs).toBeGreaterThanOrEqual(rungMs!);
    for (const delayMs of delays) expect(delayMs).toBeLessThanOrEqual(1.3 * 1.1 * rungMs!);
  });
});

describe('a delivery whose secret does not open', () => {
  it.each([
    [0, 1_000],
    [1, 4_000],
    [2, 15_000],
    [3, 60_000],
    [99, 60_000],
  ])('waits, without a slot, a try or a verdict: after %i deferrals %i ms', async (deferrals, delayMs) => {
    const stage = new AttemptStage({ receiver: new SecretUnreadable('it does not open') });
    expect(await stage.attempts.attempt(aDelivery({ position: { try: 1, deferrals } }))).toBe('deferred');
    expect(stage.publisher.delayed).toMatchObject([{ delayMs, delivery: { position: { try: 1 } } }]);
    expect(stage.record).toMatchObject({ state: 'retrying', waitsFor: 'secret_unreadable', attempt: null });
    expect(stage.released).toEqual([]);
    expect(stage.steps).toEqual(['begun', 'sent', 'given back', 'published', 'recorded', 'reported']);
  });
});

describe('a delivery whose form is not known now', () => {
  it.each([
    [0, 1_000],
    [1, 4_000],
    [2, 15_000],
    [3, 15_000],
    [4, 60_000],
    [9, 60_000],
  ])('is put off longer each time, a minute at most: after %i times by %i ms', async (deferrals, delayMs) => {
    const { stage, came } = await attempt({ form: UNKNOWN }, aDelivery({ position: { deferrals } }));
    expect(came).toBe('deferred');
    expect(stage.publisher.delayed).toMatchObject([
      { delayMs, delivery: { position: { generation: 0, try: 0, deferrals: deferrals + 1 } } },
    ]);
    expect(stage.record).toMatchObject({ state: 'pending', attempt: null });
    expect(stage.report.told).toMatchObject([{ cause: 'form_unknown' }]);
  });

  it('takes no slot', async () => {
    const { stage } = await attempt({ form: UNKNOWN });
    expect(stage.applicants).toEqual([]);
    expect(stage.sendings).toEqual([]);
  });

  it('is not put off for a bug in the lookup', async () => {
    const stage = new AttemptStage({ form: new TypeError('no such member') });
    await expect(stage.attempts.attempt(aDelivery())).rejects.toThrow('no such member');
    expect(stage.steps).toEqual([]);
  });
});

describe('a delivery that may not be attempted any more', () => {
  it('is cancelled with the reason, without a slot and without a POST', async () => {
    const { stage, came } = await attempt({ form: aForm({ endpoints: [anEndpoint({ enabled: false })] }) });
    expect(came).toBe('settled');
    expect(stage.record).toMatchObject({ state: 'cancelled', reason: 'endpoint_disabled', attempt: null });
    expect(stage.applicants).toEqual([]);
    expect(stage.sendings).toEqual([]);
  });
});

describe('a delivery whose form or endpoint config has never had', () => {
  const NEVER = aForm({ registered: false, workspaceId: null, endpoints: [] });
  const WITHOUT = aForm({ endpoints: [], unknownEndpoints: new Set(['we_1']) });

  it.each([
    ['form', NEVER],
    ['endpoint', WITHOUT],
  ])('waits, since it may be a restored database: %s', async (_, form) => {
    const { stage, came } = await attempt({ form }, aDelivery({ position: { try: 1, deferrals: 7 } }));
    expect(came).toBe('deferred');
    expect(stage.record).toMatchObject({ state: 'retrying', waitsFor: 'not_registered', attempt: null });
    expect(stage.publisher.delayed).toMatchObject([{ delayMs: 60_000 }]);
    expect(stage.report.told).toMatchObject([{ cause: 'not_registered' }]);
  });

  it.each([
    ['form_deleted', NEVER],
    ['endpoint_deleted', WITHOUT],
  ])('is given up after the time in which it may be attempted: %s', async (reason, form) => {
    const generationStartedAt = Date.now() - POLICY.deliveryMaxAgeMs;
    const { stage, came } = await attempt({ form }, aDelivery({ generationStartedAt }));
    expect(came).toBe('settled');
    expect(stage.record).toMatchObject({ state: 'cancelled', reason });
  });
});

describe('a delivery that an operator holds back', () => {
  const HELD = aForm({ paused: true });

  it.each([
    [0, 4_000],
    [1, 15_000],
    [2, 60_000],
    [3, 300_000],
    [500, 300_000],
  ])(
    'waits, five minutes at most at a time, and uses up no try: after %i deferrals %i ms',
    async (deferrals, delayMs) => {
      const { stage, came } = await attempt({ form: HELD }, aDelivery({ position: { try: 1, deferrals } }));
      expect(came).toBe('deferred');
      expect(stage.publisher.delayed).toMatchObject([{ delayMs, delivery: { position: { try: 1 } } }]);
      expect(stage.record).toMatchObject({ state: 'retrying', waitsFor: 'paused', attempt: null });
      expect(stage.record.nextAttemptAt).toBeGreaterThan(Date.now());
      expect(stage.applicants).toEqual([]);
      expect(stage.sendings).toEqual([]);
    },
  );

  it('waits as well if that began while it waited for its slot', async () => {
    const { stage, came } = await attempt({ formThen: HELD });
    expect(came).toBe('deferred');
    expect(stage.sendings).toEqual([]);
    expect(stage.steps[0]).toBe('given back');
  });

  it('has expired after the time in which it may be attempted', async () => {
    const generationStartedAt = Date.now() - POLICY.deliveryMaxAgeMs;
    const { stage, came } = await attempt({ form: HELD }, aDelivery({ generationStartedAt }));
    expect(came).toBe('settled');
    expect(stage.record).toMatchObject({ state: 'failed', reason: 'expired', nextAttemptAt: null, attempt: null });
    expect(stage.publisher.delayed).toEqual([]);
    expect(stage.report.told).toMatchObject([{ expired: true }]);
  });
});

describe('a delivery that waited for its slot', () => {
  it('goes where its endpoint is now, signed with the secrets of now', async () => {
    const now = anEndpoint({
      url: 'https://moved.example/',
      version: 2,
      secrets: [{ id: 's2', sealed: 'x', expires_at: null }],
    });
    const { stage } = await attempt({ formThen: aForm({ endpoints: [now] }) });
    expect(stage.sendings).toMatchObject([{ endpoint: now }]);
    expect(stage.record).toMatchObject({ attempt: { url: 'https://moved.example/', endpointVersion: 2 } });
  });

  it.each([
    ['endpoint_disabled', aForm({ endpoints: [anEndpoint({ enabled: false })] })],
    ['endpoint_deleted', aForm({ endpoints: [] })],
    ['submission_erased', aForm({ erasedSubmissions: new Set(['s_1']) })],
  ])('is cancelled, unsent, if it may not be attempted any more: %s', async (reason, formThen) => {
    const { stage, came } = await attempt({ formThen });
    expect(came).toBe('settled');
    expect(stage.sendings).toEqual([]);
    expect(stage.record).toMatchObject({ state: 'cancelled', reason });
    expect(stage.steps).toEqual(['given back', 'recorded', 'reported']);
  });

  it('is put off if its form is not known any more, and gives its slot back first', async () => {
    const { stage, came } = await attempt({ formThen: UNKNOWN });
    expect(came).toBe('deferred');
    expect(stage.sendings).toEqual([]);
    expect(stage.steps[0]).toBe('given back');
    expect(stage.report.told).toMatchObject([{ cause: 'form_unknown' }]);
  });

  it('gives its slot back when a bug prevents the second lookup', async () => {
    const stage = new AttemptStage({ formThen: new TypeError('no such member') });
    await expect(stage.attempts.attempt(aDelivery())).rejects.toThrow('no such member');
    expect(stage.steps).toEqual(['given back']);
  });
});

describe('a bug after the POST', () => {
  it.each<[string, (stage: AttemptStage) => void]>([
    [
      'in the report',
      ({ report }) =>
        vi.spyOn(report, 'reportAttempt').mockImplementation(() => {
          throw new TypeError('no');
        }),
    ],
    [
      'in publishing the retry',
      ({ publisher }) => vi.spyOn(publisher, 'publishDelayed').mockRejectedValue(new TypeError('no')),
    ],
    ['in the record', ({ log }) => vi.spyOn(log, 'record').mockRejectedValue(new TypeError('no'))],
  ])('%s leaves the attempt unsettled, and says so', async (_where, spoil) => {
    const stage = new AttemptStage({ receiver: anAnswer(503) });
    spoil(stage);
    await expect(stage.attempts.attempt(aDelivery())).rejects.toThrow(UnsettledAttempt);
    expect(stage.report.told.at(-1)).toMatchObject({ error: new TypeError('no') });
  });

  it('is none if the process stops before the broker has confirmed: the delivery is handed back as before', async () => {
    const stage = new AttemptStage({ receiver: anAnswer(503) });
    const failure = new PublishFailed('timeout', { exchange: '', routingKey: 'q' });
    vi.spyOn(stage.publisher, 'publishDelayed').mockRejectedValue(failure);
    await expect(stage.attempts.attempt(aDelivery())).rejects.toBe(failure);
  });
});

describe('a delivery that asks for a slot', () => {
  it.each([
    [0, 0, false],
    [0, 1, true],
    [1, 0, true],
  ])('says for whom, where to and whether it has waited: try %i, deferred %i times', async (tried, deferrals, due) => {
    const url = 'https://receiver.example:8443/hooks?a=1';
    const form = aForm({ endpoints: [anEndpoint({ url, rate_limit: 5 })] });
    const { stage } = await attempt({ form }, aDelivery({ position: { try: tried, deferrals } }));
    const origin = 'https://receiver.example:8443';
    // First attempts share the message of their event.
    const message = due ? aDelivery().deliveryId : aDelivery().eventId;
    expect(stage.applicants).toEqual([
      { endpointId: 'we_1', origin, message, bytes: aDelivery().tail.length, due, deferrals, rateLimit: 5 },
    ]);
  });

  it.each([
    ['of a test send', { trigger: 'test' }],
    ['of an event that came before', { cameBefore: true }],
    ['that was published again', { republishedBy: 'rec_1' }],
  ] as const)('has a message of its own although it has not waited: one %s', async (_what, given) => {
    const delivery = aDelivery(given);
    const { stage } = await attempt({}, delivery);
    expect(stage.applicants).toMatchObject([{ message: delivery.deliveryId, due: false }]);
  });

  it('has no rate to keep to where the owner took it back', async () => {
    const { stage } = await attempt({ form: aForm({ endpoints: [anEndpoint({ rate_limit: null })] }) });
    expect(stage.applicants).toMatchObject([{ rateLimit: undefined }]);
  });

  it('asks for one with a URL that can not be read, too: the sender says so, and it is tried again', async () => {
    const form = aForm({ endpoints: [anEndpoint({ url: 'http//nowhere' })] });
    const receiver = anError('invalid_url');
    const { stage, came } = await attempt({ form, receiver }, aDelivery());
    expect(came).toBe('settled');
    expect(stage.applicants).toMatchObject([{ origin: 'http//nowhere' }]);
    expect(stage.record).toMatchObject({ state: 'retrying', attempt: { error: { code: 'invalid_url' } } });
  });

  it('and gets none is put off by the next longer delay, without using up its try', async () => {
    const { stage, came } = await attempt(
      { admits: { delayMs: 3_000, cause: 'no_slot' } },
      aDelivery({ position: { try: 1 } }),
    );
    expect(came).toBe('deferred');
    expect(stage.sendings).toEqual([]);
    expect(stage.publisher.delayed).toMatchObject([
      { delayMs: 3_000, delivery: { position: { generation: 0, try: 1, deferrals: 1 } } },
    ]);
    expect(stage.record).toMatchObject({ state: 'retrying', attempt: null });
    expect(stage.report.told).toMatchObject([{ cause: 'no_slot' }]);
  });

  it.each([45_000, 75_000, 130_000, 1_000_000])(
    'and gets none for %i ms is put off for a tenth longer at most, not by a rung of deferrals',
    async (delayMs) => {
      const { stage } = await attempt({ admits: { delayMs, cause: 'no_slot' } });
      const [waits] = stage.publisher.delayed;
      expect(waits!.delayMs).toBeGreaterThanOrEqual(delayMs);
      expect(waits!.delayMs).toBeLessThanOrEqual(1.1 * delayMs);
    },
  );

  it('and gets none for the rate of its endpoint is put off to about its turn, not by a rung of deferrals', async () => {
    const { stage } = await attempt({ admits: { delayMs: 16_400, cause: 'rate_limit' } });
    expect(stage.publisher.delayed).toMatchObject([{ delayMs: 17_000, delivery: { position: { deferrals: 1 } } }]);
    expect(stage.record).toMatchObject({ state: 'pending', waitsFor: 'rate_limit' });
    expect(stage.report.told).toMatchObject([{ cause: 'rate_limit' }]);
  });
});

describe('handling a delivery', () => {
  it.each<[string, Behaviour, DeliveryMessage?]>([
    ['is delivered', { receiver: anAnswer(200) }],
    ['is tried again', { receiver: anAnswer(503) }],
    ['is put off for its form', { form: UNKNOWN }],
    ['is put off for a slot', { admits: { delayMs: 1, cause: 'no_slot' } }],
    ['is cancelled', { form: aForm({ endpoints: [] }) }],
    ['expires', { form: aForm({ paused: true }) }, aDelivery({ generationStartedAt: 0 })],
  ])('ends only once the broker has what follows, when it %s', async (_, behaviour, delivery = aDelivery()) => {
    const stage = new AttemptStage(behaviour);
    const confirm = held();
    stage.log.confirms = confirm.promise;
    let ended = false;
    const handling = stage.attempts.attempt(delivery).then(() => (ended = true));
    await settled();
    expect(stage.log.records).toHaveLength(1);
    expect(ended).toBe(false);
    confirm.resolve();
    await handling;
  });
});
