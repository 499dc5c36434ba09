import {
  buildTail,
  deriveDeliveryId,
  FIRST_POSITION,
  randomEndpointId,
  randomEventId,
  sealEnvelope,
  type FormId,
} from '@form-webhooks/domain';
import { TO_LOG } from '@form-webhooks/broker';
import {
  encodeLogBatch,
  type AttemptRecord,
  type DeliveryRecord,
  type EventRecord,
  type LogRecord,
} from '@form-webhooks/messages';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { anAttempt, anEvent, aStep, SUBMISSION } from '../support/config/delivery-log.js';
import { ConfigStage } from '../support/config/config-stage.js';

const DAY_MS = 86_400_000;

describe('the delivery log of a form', () => {
  let stage: ConfigStage;
  let form: FormId;

  beforeAll(async () => {
    stage = await ConfigStage.open();
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    form = (await stage.form('ws_one')) as FormId;
  });

  const record = (...records: LogRecord[]): Promise<void> =>
    stage.broker.publisher.publish(TO_LOG, { headers: {}, body: encodeLogBatch(records) });
  const page = async (query: string, key?: string) =>
    (await stage.call('GET', `/v1/forms/${form}/deliveries${query}`, key ? { key } : {})).body;
  /** All pages as one: a page can be short and yet not be the last (decision 12). */
  const list = async (query = '', key?: string) => {
    const all = await page(query, key);
    while (typeof all.next_cursor === 'string') {
      const next = await page(`${query}${query === '' ? '?' : '&'}cursor=${all.next_cursor}`, key);
      all.items.push(...next.items);
      all.next_cursor = next.next_cursor;
    }
    return all;
  };
  const detail = async (id: string, key?: string) =>
    (await stage.call('GET', `/v1/forms/${form}/deliveries/${id}`, key ? { key } : {})).body;
  const logged = (count: number) => vi.waitFor(async () => expect((await list()).items).toHaveLength(count), 40_000);

  it('shows a delivery with each attempt as it was sent, byte for byte', async () => {
    const tail = Buffer.from(`"form_id":"${form}","submission_id":"s_1","fields":{"n":1.0,"é":"😀\\u0000"},"meta":{}}`);
    const event = anEvent({ formId: form, tail });
    const { deliveryId, endpointId } = event.deliveries[0]!;
    const startedAt = event.acceptedAt + 5;
    const failed = anAttempt({
      startedAt,
      outcome: 'retry',
      response: null,
      error: { code: 'timeout', message: 'No answer within 15 s.' },
      remoteAddress: null,
    });
    const timings = { dnsMs: null, connectMs: 3, tlsMs: 0, firstByteMs: 7 };
    const succeeded = anAttempt({ startedAt: startedAt + 10_000, try: 1, resent: true, timings });
    const position = { generation: 0, try: 1, deferrals: 0 };
    await record(event, aStep(event, { state: 'retrying', position, attempt: failed }));
    await record(aStep(event, { position, attempt: succeeded, completedAt: startedAt + 10_012 }));
    await vi.waitFor(async () => expect((await list('?state=delivered')).items).toHaveLength(1), 30_000);

    const shown = {
      delivery_id: deliveryId,
      event_id: event.eventId,
      event: 'submission.created',
      form_id: form,
      submission_id: 's_1',
      endpoint_id: endpointId,
      state: 'delivered',
      reason: null,
      generation: 0,
      attempt_count: 2,
      accepted_at: new Date(event.acceptedAt).toISOString(),
      next_attempt_at: null,
      completed_at: new Date(startedAt + 10_012).toISOString(),
      waits_for: null,
      trigger: 'event',
      last_response_status: 200,
      last_error: null,
    };
    expect(await list()).toEqual({ items: [shown], next_cursor: null });
    const body = (timestamp: number) => sealEnvelope('submission.created', deliveryId, timestamp, tail).toString();
    expect(await detail(deliveryId)).toEqual({
      ...shown,
      payload: `{"event":"submission.created","delivery_id":"${deliveryId}",${tail.toString()}`,
      attempts: [
        {
          id: failed.id,
          number: 1,
          generation: 0,
          started_at: new Date(startedAt).toISOString(),
          duration_ms: 12,
          timings: null,
          request: {
            method: 'POST',
            url: failed.url,
            headers: failed.requestHeaders,
            body: body(failed.timestamp),
            curl: expect.any(String),
          },
          response: null,
          error: { code: 'timeout', message: 'No answer within 15 s.' },
          remote_address: null,
          resent: false,
          outcome: 'retry',
        },
        {
          id: succeeded.id,
          number: 2,
          generation: 0,
          started_at: new Date(startedAt + 10_000).toISOString(),
          duration_ms: 12,
          timings: { dns_ms: null, connect_ms: 3, tls_ms: 0, first_byte_ms: 7 },
          request: {
            method: 'POST',
            url: succeeded.url,
            headers: succeeded.requestHeaders,
            body: body(succeeded.timestamp),
            curl: expect.stringContaining(`curl --globoff --request POST '${succeeded.url}'`),
          },
          response: {
            status: 200,
            headers: { 'content-type': 'text/plain' },
            excerpt: 'ok',
            excerpt_base64: null,
            truncated: false,
          },
          error: null,
          remote_address: '192.0.2.7',
          resent: true,
          outcome: 'delivered',
        },
      ],
    });
  });

  it('carries one large text a call: each attempt of a long delivery has its body at a place of its own', async () => {
    const attempts = Array.from({ length: 12 }, (_, n) =>
      anAttempt({ try: n, outcome: n < 11 ? 'retry' : 'delivered' }),
    );
    const fields = Buffer.from(JSON.stringify({ text: '"'.repeat(400_000) }));
    const tail = buildTail({ formId: form, submissionId: SUBMISSION, fields, meta: Buffer.from('{}') });
    const event = anEvent({ formId: form, tail });
    const { deliveryId } = event.deliveries[0]!;
    await record(event);
    for (const [n, attempt] of attempts.entries()) {
      const position = { ...FIRST_POSITION, try: n + 1 };
      const open = n < 11 ? { state: 'retrying' as const } : {};
      await record(aStep(event, { position, attempt, ...open }));
    }
    await vi.waitFor(async () => expect((await detail(deliveryId)).attempts ?? []).toHaveLength(12), 20_000);
    const shown = await detail(deliveryId);
    expect(JSON.stringify(shown).length).toBeLessThan(2.5 * tail.length);
    expect(shown.payload).toContain(tail.toString());
    expect(shown.attempts.every((one: { request: { body: unknown } }) => one.request.body === null)).toBe(true);
    const path = `/v1/forms/${form}/deliveries/${deliveryId}/attempts`;
    for (const { id, timestamp } of [attempts[0]!, attempts[11]!]) {
      const one = (await stage.call('GET', `${path}/${id}`)).body;
      const body = sealEnvelope('submission.created', deliveryId, timestamp, tail).toString();
      expect(one).toEqual({
        ...shown.attempts.find((each: { id: string }) => each.id === id),
        request: expect.any(Object),
      });
      expect(one.request.body === body).toBe(true);
    }
    const reader = await stage.key('ws_one', ['deliveries:read']);
    const withoutPayload = await stage.call('GET', `${path}/${attempts[0]!.id}`, { key: reader });
    expect([withoutPayload.status, withoutPayload.body.request.body]).toEqual([200, null]);
    expect((await stage.call('GET', `${path}/att_unknown`)).status).toBe(404);
  });

  it('writes down who looked at a payload, once while she goes on looking, and nothing of who saw none', async () => {
    const event = anEvent({ formId: form });
    await record(event, aStep(event));
    await logged(1);
    const { deliveryId } = event.deliveries[0]!;
    const views = async () =>
      (await stage.call('GET', `/v1/audit-log?workspace_id=ws_one&form_id=${form}&action=payload.viewed`)).body.items;
    await detail(deliveryId, await stage.key('ws_one', ['deliveries:read']));
    expect(await views()).toEqual([]);
    for (let n = 0; n < 3; n++) expect((await detail(deliveryId)).payload).toContain('Ada');
    expect(await views()).toMatchObject([{ target: { type: 'delivery', id: deliveryId } }]);
  });

  it('writes down also who looked at what a receiver answered while the payload is not there', async () => {
    const event = anEvent({ formId: form });
    const answer = { status: 400, headers: {}, excerpt: 'not a name: Ada', truncated: false };
    await record(aStep(event, { attempt: anAttempt({ response: answer }) }));
    await logged(1);
    const { deliveryId } = event.deliveries[0]!;
    const shown = await detail(deliveryId);
    expect([shown.payload, shown.attempts[0].response.excerpt]).toEqual([null, 'not a name: Ada']);
    const { body } = await stage.call('GET', `/v1/audit-log?workspace_id=ws_one&form_id=${form}&action=payload.viewed`);
    expect(body.items).toMatchObject([{ target: { type: 'delivery', id: deliveryId } }]);
  });

  it('shows no payload and no excerpt without the scope for it', async () => {
    const event = anEvent({ formId: form });
    const [deliveryId, bytes] = [
      event.deliveries[0]!.deliveryId,
      Buffer.from('Gr\xfc\xdfe', 'latin1').toString('base64'),
    ];
    const answer = { status: 200, headers: {}, excerpt: 'Gr\ufffd\ufffde', bytes, truncated: false };
    await record(event, aStep(event, { attempt: anAttempt({ response: answer }) }));
    await logged(1);
    const key = await stage.key('ws_one', ['deliveries:read']);
    expect((await detail(deliveryId)).attempts[0].response).toMatchObject({ excerpt_base64: bytes });
    const shown = await detail(deliveryId, key);
    expect(shown.payload).toBeNull();
    expect(shown.attempts[0].request.body).toBeNull();
    expect(shown.attempts[0].response).toMatchObject({ status: 200, excerpt: null, excerpt_base64: null });
    expect(JSON.stringify([shown, await list('', key)])).not.toContain('Ada');
  });

  it('answers for another workspace as if there were nothing', async () => {
    const event = anEvent({ formId: form });
    await record(event, aStep(event));
    await logged(1);
    const key = await stage.key('ws_other', ['deliveries:read']);
    const own = await stage.form('ws_other');
    const { deliveryId } = event.deliveries[0]!;
    expect((await stage.call('GET', `/v1/forms/${form}/deliveries`, { key })).status).toBe(404);
    expect((await stage.call('GET', `/v1/forms/${own}/deliveries/${deliveryId}`, { key })).status).toBe(404);
    expect(
      (await stage.call('GET', `/v1/forms/${own}/deliveries?delivery_id=${deliveryId}`, { key })).body.items,
    ).toEqual([]);
  });

  it('finds deliveries by every filter, and by several at once', async () => {
    const endpoints = [randomEndpointId(), randomEndpointId()];
    const now = Date.now();
    const make = (at: number, given: Partial<EventRecord>, step: Partial<DeliveryRecord>, endpoint = 0) => {
      const eventId = randomEventId();
      const endpointId = endpoints[endpoint]!;
      const deliveries = [{ endpointId, deliveryId: deriveDeliveryId(eventId, endpointId) }];
      const event = anEvent({ formId: form, eventId, deliveries, acceptedAt: at, ...given });
      return { event, step: aStep(event, step), id: deliveries[0]!.deliveryId };
    };
    const refused = { status: 404, headers: {}, excerpt: '', truncated: false };
    const dns = { code: 'dns' as const, message: 'No such host.' };
    const all = [
      make(now - 1_000, {}, {}),
      make(now - 2_000, { event: 'payment.succeeded' }, {}, 1),
      make(
        now - 2 * DAY_MS,
        { submissionId: 's_two' as never },
        {
          state: 'failed',
          reason: 'rejected',
          attempt: anAttempt({ response: refused, outcome: 'failed' }),
        },
      ),
      make(
        now - 5 * DAY_MS,
        {},
        {
          state: 'retrying',
          position: { generation: 0, try: 1, deferrals: 0 },
          attempt: anAttempt({ response: null, error: dns, outcome: 'retry' }),
        },
      ),
      make(now - 20 * DAY_MS, {}, { state: 'cancelled', reason: 'endpoint_deleted', attempt: null }, 1),
    ];
    await record(...all.flatMap(({ event, step }) => [event, step]));
    await logged(all.length);
    const ids = async (query: string): Promise<number[]> =>
      (await list(query)).items.map((item: { delivery_id: string }) =>
        all.findIndex(({ id }) => id === item.delivery_id),
      );
    const at = (days: number) => new Date(now - days * DAY_MS).toISOString();
    expect(await ids('')).toEqual([0, 1, 2, 3, 4]);
    expect(await ids(`?endpoint_id=${endpoints[1]}`)).toEqual([1, 4]);
    expect(await ids('?state=failed')).toEqual([2]);
    expect(await ids('?state=delivered')).toEqual([0, 1]);
    expect(await ids('?event=payment.succeeded')).toEqual([1]);
    expect(await ids('?submission_id=s_two')).toEqual([2]);
    expect(await ids(`?delivery_id=${all[3]!.id}`)).toEqual([3]);
    expect(await ids('?response_status=200')).toEqual([0, 1]);
    expect(await ids('?response_status=404')).toEqual([2]);
    expect(await ids('?response_class=2xx')).toEqual([0, 1]);
    expect(await ids('?response_class=4xx')).toEqual([2]);
    expect(await ids('?response_class=5xx')).toEqual([]);
    expect(await ids('?error=dns')).toEqual([3]);
    expect(await ids('?min_attempts=1')).toEqual([0, 1, 2, 3]);
    expect(await ids('?min_attempts=2')).toEqual([]);
    expect(await ids(`?from=${at(5)}`)).toEqual([0, 1, 2, 3]);
    expect(await ids(`?from=${at(20)}&to=${at(2)}`)).toEqual([3, 4]);
    expect(await ids(`?state=cancelled&endpoint_id=${endpoints[1]}&event=submission.created&from=${at(21)}`)).toEqual([
      4,
    ]);
    expect(await ids(`?state=cancelled&endpoint_id=${endpoints[0]}`)).toEqual([]);
    expect(await ids('?state=failed&state=cancelled&state=delivered')).toEqual([0, 1, 2, 4]);
    expect(await ids('?state=retrying&state=failed&error=dns')).toEqual([3]);
    expect(await ids('?reason=endpoint_deleted')).toEqual([4]);
    expect(await ids('?reason=endpoint_deleted&reason=rejected')).toEqual([2, 4]);
    expect(await ids('?reason=rejected&state=cancelled')).toEqual([]);
    expect(await ids('?trigger=event')).toEqual([0, 1, 2, 3, 4]);
    expect(await ids('?trigger=test&trigger=replay')).toEqual([]);
    expect(await ids('?text=_two')).toEqual([2]);
    expect(await ids(`?text=${all[3]!.id.slice(6, 20)}`)).toEqual([3]);
    expect(await ids(`?text=${all[4]!.event.eventId.slice(4)}`)).toEqual([4]);
    expect(await ids(`?text=${all[1]!.id}`)).toEqual([1]);
    expect(await ids('?order=asc')).toEqual([4, 3, 2, 1, 0]);
    expect(await ids(`?order=asc&from=${at(5)}&state=delivered&state=failed`)).toEqual([2, 1, 0]);
    const total = async (query: string) =>
      (await stage.call('GET', `/v1/forms/${form}/deliveries/total${query}`)).body as unknown;
    expect(await total('')).toEqual({ total: 5, precision: 'exact' });
    expect(await total('?state=failed&state=cancelled')).toEqual({ total: 2, precision: 'exact' });
    expect(await total(`?text=_two&from=${at(3)}`)).toEqual({ total: 1, precision: 'exact' });
  });

  it.each(['desc', 'asc'])(
    'gives every delivery once over all pages in order %s, also those accepted together',
    async (order) => {
      const now = Date.now();
      const events = Array.from({ length: 23 }, (_, index) =>
        anEvent({ formId: form, acceptedAt: now - Math.floor(index / 5) * DAY_MS }),
      );
      await record(...events);
      await logged(events.length);
      const seen: string[] = [];
      const moments: string[] = [];
      let cursor: string | null = '';
      do {
        const next: { items: { delivery_id: string; accepted_at: string }[]; next_cursor: string | null } = await page(
          `?limit=4&order=${order}${cursor ? `&cursor=${cursor}` : ''}`,
        );
        seen.push(...next.items.map((item) => item.delivery_id));
        moments.push(...next.items.map((item) => item.accepted_at));
        cursor = next.next_cursor;
      } while (cursor !== null);
      expect(seen).toHaveLength(events.length);
      expect(new Set(seen)).toEqual(new Set(events.map((event) => event.deliveries[0]!.deliveryId)));
      const sorted = moments.toSorted();
      expect(moments).toEqual(order === 'asc' ? sorted : sorted.reverse());
    },
  );

  it.each([
    '?state=lost',
    '?state=failed&state=failed',
    '?trigger=me',
    '?reason=mine',
    '?text=a%25',
    '?order=up',
    '?response_status=abc',
    '?from=yesterday',
    '?cursor=AAAA',
    '?nope=1',
    '?limit=1000',
    '?error=x',
    '?min_attempts=0',
    '?response_class=6xx',
  ])('refuses %s with what is wrong', async (query) => {
    expect((await stage.call('GET', `/v1/forms/${form}/deliveries${query}`)).status).toBe(422);
  });

  it('switches an endpoint off whose receiver is gone, and says so in the audit log', async () => {
    const endpoint = (
      await stage.call('POST', `/v1/forms/${form}/endpoints`, { body: { url: 'https://hooks.example.com/a' } })
    ).body;
    const eventId = randomEventId();
    const deliveries = [{ endpointId: endpoint.id, deliveryId: deriveDeliveryId(eventId, endpoint.id) }];
    const event = anEvent({ formId: form, eventId, deliveries });
    const gone = { status: 410, headers: {}, excerpt: '', truncated: false };
    await record(
      event,
      aStep(event, { state: 'failed', reason: 'gone', attempt: anAttempt({ response: gone, outcome: 'failed' }) }),
    );
    await vi.waitFor(async () => {
      const now = (await stage.call('GET', `/v1/forms/${form}/endpoints/${endpoint.id}`)).body;
      expect(now).toMatchObject({ enabled: false, disabled_reason: 'gone', version: 2 });
    }, 30_000);
    const audit = await stage.call('GET', `/v1/audit-log?workspace_id=ws_one&form_id=${form}&actor=system`);
    expect(audit.body.items).toHaveLength(1);
    await vi.waitFor(() => expect(stage.notices).toContainEqual(expect.objectContaining({ form_id: form })), 30_000);
  });

  it('sums up per endpoint what the rows say: states, success rate, latencies, a series by steps', async () => {
    const now = Date.now();
    const endpoints = [randomEndpointId(), randomEndpointId()];
    const make = (endpoint: number, acceptedAt: number, step: Partial<DeliveryRecord>): LogRecord[] => {
      const eventId = randomEventId();
      const endpointId = endpoints[endpoint]!;
      const deliveries = [{ endpointId, deliveryId: deriveDeliveryId(eventId, endpointId) }];
      const event = anEvent({ formId: form, eventId, deliveries, acceptedAt });
      return [event, aStep(event, step)];
    };
    const BUSY = { status: 503, headers: {}, excerpt: '', truncated: false };
    const took = (durationMs: number, startedAt: number, given: Partial<AttemptRecord> = {}) => ({
      attempt: anAttempt({ durationMs, startedAt, ...given }),
    });
    await record(
      ...[10, 20, 30, 1_000].flatMap((ms) => make(0, now, took(ms, now))),
      ...make(0, now - 3 * DAY_MS, {
        ...took(50, now - 3 * DAY_MS, { outcome: 'failed', response: BUSY }),
        ...{ state: 'failed', reason: 'exhausted' },
      }),
      ...make(1, now, { state: 'cancelled', reason: 'endpoint_disabled', attempt: null }),
      ...make(1, now, { trigger: 'test' }),
    );
    await logged(7);
    const stats = async (query = '') => (await stage.call('GET', `/v1/forms/${form}/stats${query}`)).body;
    const of = (body: { endpoints: { endpoint_id: string }[] }, n: number) =>
      body.endpoints.find((one) => one.endpoint_id === endpoints[n]);
    const none = { pending: 0, retrying: 0, cancelled: 0, failed: 0, delivered: 0 };
    const day = await stats();
    expect(day.step).toBe('1h');
    expect(of(day, 0)).toMatchObject({ counts: { ...none, delivered: 4 }, success_rate: 1, attempts: 4, failures: [] });
    expect(of(day, 1)).toMatchObject({ counts: { ...none, cancelled: 1 }, success_rate: null, attempts: 0 });
    const { latency_ms: latency } = of(day, 0) as never as { latency_ms: { p50: number; p99: number } };
    expect(latency.p50).toBeGreaterThan(16);
    expect(latency.p50).toBeLessThan(24);
    expect(latency.p99).toBeGreaterThan(830);
    const week = await stats(`?from=${new Date(now - 7 * DAY_MS).toISOString()}&step=1d`);
    expect(of(week, 0)).toMatchObject({ counts: { ...none, delivered: 4, failed: 1 }, success_rate: 0.8, attempts: 5 });
    const { series, failures } = of(week, 0) as never as { series: { failures: object[] }[]; failures: object[] };
    expect(failures).toEqual([{ cause: '5xx', attempts: 1 }]);
    expect(series.map((point) => point.failures)).toEqual([failures, []]);
    expect((await stage.call('GET', `/v1/forms/${form}/stats?from=2020-01-01T00:00:00Z`)).status).toBe(422);
    expect((await stage.call('GET', `/v1/forms/${form}/stats?step=1m`)).status).toBe(422);
    const tokyo = await stats(`?from=${new Date(now - 7 * DAY_MS).toISOString()}&step=1d&timezone=Asia/Tokyo`);
    expect([day.timezone, tokyo.timezone]).toEqual([null, 'Asia/Tokyo']);
    expect(tokyo.endpoints.map(({ counts }: { counts: object }) => counts)).toEqual(
      week.endpoints.map(({ counts }: { counts: object }) => counts),
    );
    const starts = tokyo.endpoints.flatMap(({ series }: { series: { at: string }[] }) => series.map(({ at }) => at));
    expect(new Set(starts.map((at: string) => new Date(at).getUTCHours()))).toEqual(new Set([15]));
    for (const wrong of ['Mars/Base', '+01:00', 'Europe/../UTC', '']) {
      expect((await stage.call('GET', `/v1/forms/${form}/stats?timezone=${encodeURIComponent(wrong)}`)).status).toBe(
        422,
      );
    }
  });
});
