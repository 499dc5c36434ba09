import { QUEUES } from '@form-webhooks/broker';
import { deriveDeliveryId, randomEventId, type FormId } from '@form-webhooks/domain';
import {
  readDeliveryMessage,
  type DeliveryMessage,
  type DeliveryRecord,
  type EventRecord,
  type LogRecord,
} from '@form-webhooks/messages';
import { countReplayable, retainedDays, type DataSource, type Transaction } from '@form-webhooks/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { Probe } from '../support/broker.js';
import { openDatabase } from '../support/config/config-database.js';
import { ConfigStage, startableService } from '../support/config/config-stage.js';
import { anEvent, aStep, logWriter } from '../support/config/delivery-log.js';

describe('a replay by filter', () => {
  let stage: ConfigStage;
  let dataSource: DataSource;
  let form: FormId;
  let endpoints: string[];
  const eventOf = new Map<string, EventRecord>();

  beforeAll(async () => {
    stage = await ConfigStage.open({ REPLAY_RATE: '20', REPLAY_MAX_DELIVERIES: '60' });
    dataSource = await openDatabase(stage.databaseUrl);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await stage.close();
  });
  beforeEach(() => newForm('ws_one'));

  /** What the helpers below speak of from now on. */
  async function newForm(workspaceId: string): Promise<void> {
    form = (await stage.form(workspaceId)) as FormId;
    endpoints = [];
    for (const name of ['a', 'b']) {
      const body = { url: `https://hooks.example.com/${name}` };
      endpoints.push((await stage.call('POST', `/v1/forms/${form}/endpoints`, { body })).body.id);
    }
  }

  const replays = (rest = '') => `/v1/forms/${form}/replays${rest}`;
  const start = (filter: object) => stage.call('POST', replays(), { body: { filter } });
  const progress = async (id: string) => (await stage.call('GET', replays(`/${id}`))).body;
  const ended = (id: string, state: string) =>
    vi.waitFor(async () => expect((await progress(id)).state).toBe(state), { timeout: 40_000, interval: 100 });

  /** Deliveries to one endpoint, in the log as failed unless told otherwise. @returns their ids */
  async function failed(count: number, endpoint: number, step: Partial<DeliveryRecord> = {}): Promise<string[]> {
    const records: LogRecord[] = [];
    const ids = Array.from({ length: count }, () => {
      const eventId = randomEventId();
      const endpointId = endpoints[endpoint]!;
      const deliveryId = deriveDeliveryId(eventId, endpointId);
      const deliveries = [{ endpointId: endpointId as never, deliveryId }];
      const event = anEvent({ formId: form, eventId, deliveries });
      eventOf.set(deliveryId, event);
      records.push(event, aStep(event, { state: 'failed', reason: 'exhausted', ...step }));
      return deliveryId;
    });
    await logWriter(dataSource).write(records);
    return ids;
  }

  async function dispatched(): Promise<DeliveryMessage[]> {
    const probe = await Probe.open(brokerUrl());
    await probe.channel.purgeQueue(QUEUES.deliveries);
    const messages: DeliveryMessage[] = [];
    await probe.channel.consume(
      QUEUES.deliveries,
      (raw) => raw && messages.push(readDeliveryMessage(raw.properties.headers ?? {}, raw.content)),
      { noAck: true },
    );
    return messages;
  }

  it('sends what is named, as far as it can be sent again, and nothing else', async () => {
    const messages = await dispatched();
    const ids = await failed(3, 0);
    await failed(2, 0);
    const [open] = await failed(1, 0, { state: 'retrying', reason: null });
    const body = { delivery_ids: [...ids, open!, 'dlv_unknown'] };
    expect((await stage.call('POST', replays('/preview'), { body })).body).toEqual({ matched: 3 });
    const started = await stage.call('POST', replays(), { body });
    expect(started).toMatchObject({ status: 202, body: { matched: 3, filter: null } });
    await ended(started.body.id, 'done');
    await vi.waitFor(() => expect(messages).toHaveLength(3), 30_000);
    expect(messages.map(({ deliveryId }) => deliveryId).sort()).toEqual(ids.toSorted());
    for (const wrong of [{}, { ...body, filter: { state: 'failed' } }, { delivery_ids: [] }, { filter: null }]) {
      expect((await stage.call('POST', replays(), { body: wrong })).status).toBe(422);
    }
  });

  it('is listed with the others of its form, the newest first', async () => {
    await failed(1, 0);
    const made: string[] = [];
    for (let n = 0; n < 3; n++) {
      const started = await start({ state: 'failed' });
      await ended(started.body.id as string, 'done');
      made.unshift(started.body.id as string);
    }
    const first = (await stage.call('GET', replays('?limit=2'))).body;
    const rest = (await stage.call('GET', replays(`?limit=2&cursor=${first.next_cursor}`))).body;
    const idsOf = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id);
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(made);
    expect([first.items[0].state, rest.next_cursor]).toEqual(['done', null]);
  });

  it('sends exactly what the preview counted, each once, and says how far it is', async () => {
    const messages = await dispatched();
    const ids = await failed(30, 0);
    await failed(3, 1);
    await failed(2, 0, { state: 'delivered', reason: null });
    await failed(2, 0, { trigger: 'test' });
    const filter = { state: 'failed', endpoint_id: endpoints[0] };
    expect((await stage.call('POST', replays('/preview'), { body: { filter } })).body).toEqual({ matched: 30 });
    const began = Date.now();
    const started = await start(filter);
    expect(started).toMatchObject({ status: 202, body: { state: 'running', matched: 30, replayed: 0, filter } });
    await ended(started.body.id, 'done');
    // 30 at 20 a second: not all at once.
    expect(Date.now() - began).toBeGreaterThan(400);
    expect(await progress(started.body.id)).toMatchObject({ matched: 30, replayed: 30, skipped: 0 });
    await vi.waitFor(() => expect(messages).toHaveLength(30), 30_000);
    expect(messages.map(({ deliveryId }) => deliveryId).sort()).toEqual(ids.toSorted());
    expect(messages.every(({ position, trigger }) => position.generation === 1 && trigger === 'replay')).toBe(true);
    const audited = await stage.call('GET', `/v1/audit-log?workspace_id=ws_one&form_id=${form}&action=replay.started`);
    expect(audited.body.items).toMatchObject([{ target: { type: 'replay', id: started.body.id } }]);
  });

  it('skips what can not be replayed any more when its turn comes', async () => {
    await failed(40, 0);
    const started = await start({ state: 'failed' });
    await stage.call('PATCH', `/v1/forms/${form}/endpoints/${endpoints[0]}`, { body: { enabled: false } });
    await ended(started.body.id, 'done');
    const { replayed, skipped } = await progress(started.body.id);
    expect(replayed + skipped).toBe(40);
    expect(skipped).toBeGreaterThan(0);
    expect(
      (await stage.call('POST', replays('/preview'), { body: { filter: { state: 'failed' } } })).body.matched,
    ).toBe(0);
  });

  it('goes on after the service that worked at it was stopped, with another at the same time, and repeats nothing', async () => {
    const messages = await dispatched();
    await failed(50, 0);
    const others = [1, 2].map(() => startableService(stage.databaseUrl, { REPLAY_RATE: '20' }));
    await Promise.all(others.map((service) => service.start()));
    const started = await start({ state: 'failed' });
    await vi.waitFor(async () => expect((await progress(started.body.id)).replayed).toBeGreaterThan(0), 30_000);
    await others[0]!.stop();
    await ended(started.body.id, 'done');
    await others[1]!.stop();
    await vi.waitFor(() => expect(messages).toHaveLength(50), 30_000);
    expect(new Set(messages.map(({ deliveryId }) => deliveryId)).size).toBe(50);
    const generations = await dataSource.query('SELECT DISTINCT generation, state FROM deliveries WHERE form_id = $1', [
      form,
    ]);
    expect(generations).toEqual([{ generation: 1, state: 'pending' }]);
  });

  /** Locks something in a transaction that stays open. @returns what ends it, which the end of the test does as well */
  async function holdBy(sql: string, values: unknown[] = []): Promise<() => Promise<void>> {
    const holder = dataSource.createQueryRunner();
    const letGo = async (): Promise<void> => {
      if (holder.isReleased) return;
      if (holder.isTransactionActive) await holder.commitTransaction();
      await holder.release();
    };
    onTestFinished(letGo);
    await holder.startTransaction();
    await holder.query(sql, values);
    return letGo;
  }

  /** Holds deliveries, so that a batch that comes to one waits. @returns what lets them go again */
  const hold = (...deliveryIds: string[]) =>
    holdBy('SELECT 1 FROM deliveries WHERE delivery_id = ANY ($1) FOR UPDATE', [deliveryIds]);

  const waitsForDelivery = () =>
    vi.waitFor(async () => {
      const waiting = `SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM deliveries%FOR UPDATE%'`;
      expect(await dataSource.query(waiting)).toEqual([{ n: 1 }]);
    }, 30_000);

  it('locks no counter while it waits for a delivery, so that it and the log never wait for each other', async () => {
    const ids = await failed(8, 0);
    const letGo = await hold(ids.toSorted().at(-1)!);
    const started = await start({ state: 'failed' });
    await waitsForDelivery();
    await dataSource.query('SELECT 1 FROM delivery_counts WHERE form_id = $1 FOR UPDATE NOWAIT', [form]);
    await letGo();
    await ended(started.body.id, 'done');
    expect(await progress(started.body.id)).toMatchObject({ replayed: 8, skipped: 0 });
    const counts =
      'SELECT sum(pending)::int AS pending, sum(failed)::int AS failed FROM delivery_counts WHERE form_id = $1';
    expect(await dataSource.query(counts, [form])).toEqual([{ pending: 8, failed: 0 }]);
  });

  it('sends nothing again that was replayed or delivered since it was chosen', async () => {
    const messages = await dispatched();
    const first = await failed(10, 0);
    // Accepted later, so their turn comes with the second batch.
    const [again, elsewhere, delivered, untouched] = (await failed(4, 1)) as [string, string, string, string];
    const letGo = await hold(first[0]!);
    const started = await start({ state: 'failed' });
    await waitsForDelivery();
    const generation = { position: { generation: 1, try: 0, deferrals: 0 }, trigger: 'replay' } as const;
    const told = (id: string, step: Partial<DeliveryRecord>) => aStep(eventOf.get(id)!, step);
    for (const id of [again, elsewhere])
      expect((await stage.call('POST', `/v1/forms/${form}/deliveries/${id}/replay`)).status).toBe(202);
    await logWriter(dataSource).write([
      told(again, { ...generation, state: 'failed', reason: 'exhausted' }),
      told(elsewhere, { ...generation, state: 'delivered' }),
      told(delivered, { state: 'delivered' }),
    ]);
    await letGo();
    await ended(started.body.id, 'done');
    expect(await progress(started.body.id)).toMatchObject({ matched: 14, replayed: 11, skipped: 3 });
    await vi.waitFor(() => expect(messages).toHaveLength(13), 30_000);
    const sent = messages.map(({ deliveryId }) => deliveryId).sort();
    expect(sent, 'each once').toEqual([...first, again, elsewhere, untouched].sort());
  });

  it('ends with the removal of its form, and the audit log says so', async () => {
    await failed(60, 0);
    const started = await start({ state: 'failed' });
    expect((await stage.call('DELETE', `/v1/forms/${form}`)).status).toBe(204);
    const query = `workspace_id=ws_one&form_id=${form}&action=replay.cancelled`;
    await vi.waitFor(async () => {
      const { body } = await stage.call('GET', `/v1/audit-log?${query}`);
      expect(body.items).toMatchObject([{ actor: 'system', target: { type: 'replay', id: started.body.id } }]);
    }, 30_000);
    const job = await dataSource.query('SELECT state, replayed < 60 AS early FROM replays WHERE id = $1', [
      started.body.id,
    ]);
    expect(job).toEqual([{ state: 'cancelled', early: true }]);
  });

  it('can be cancelled on its way', async () => {
    await failed(50, 0);
    const started = await start({ state: 'failed' });
    const cancelled = await stage.call('DELETE', replays(`/${started.body.id}`));
    expect(cancelled).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    const { replayed } = cancelled.body;
    expect(replayed).toBeLessThan(50);
    expect((await stage.call('DELETE', replays(`/${started.body.id}`))).body).toEqual(cancelled.body);
    const again = await start({ state: 'failed' });
    expect(again).toMatchObject({ status: 202, body: { matched: 50 - replayed } });
    await stage.call('DELETE', replays(`/${again.body.id}`));
  });

  it('is chosen without reading more than its limit, however much the filter matches', async () => {
    await failed(1_500, 0);
    const plans: { Plan: PlanNode }[] = [];
    const explaining = {
      query: async (sql: string, values: unknown[]) => {
        const explained = await dataSource.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values);
        plans.push(...explained[0]['QUERY PLAN']);
        return [{}];
      },
    } as unknown as Transaction;
    const selection = { formId: form, filter: { states: ['failed'] as const }, retained: retainedDays(Date.now(), 30) };
    await countReplayable(explaining, { ...selection, limit: 60 });
    expect(plans.map(({ Plan }) => rowsOfDeliveries(Plan))).toEqual([61]);
  });

  it('is previewed once at a time for a form, and a preview that takes too long says what to do', async () => {
    await failed(1, 0);
    const letGo = await holdBy('LOCK TABLE erased_submissions IN ACCESS EXCLUSIVE MODE');
    const preview = () => stage.call('POST', replays('/preview'), { body: { filter: { state: 'failed' } } });
    const slow = preview();
    const waiting = `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%count(DISTINCT%'`;
    await vi.waitFor(async () => expect(await dataSource.query(waiting)).toEqual([{ n: 1 }]), 30_000);
    const second = await preview();
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '5']);
    const first = await slow;
    expect(first).toMatchObject({ status: 503, body: { detail: expect.stringContaining('narrow the filter') } });
    await letGo();
    expect(await preview()).toMatchObject({ status: 200, body: { matched: 1 } });
  });

  it('is one of five at a time in a workspace, however many calls for different forms come at once', async () => {
    const forms: FormId[] = [];
    const held: string[] = [];
    for (let n = 0; n < 12; n++) {
      await newForm('ws_crowded');
      forms.push(form);
      held.push((await failed(1, 0))[0]!);
    }
    const letGo = await hold(...held);
    const body = { filter: { state: 'failed' } };
    const answers = await Promise.all(forms.map((id) => stage.call('POST', `/v1/forms/${id}/replays`, { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(202), ...Array(7).fill(429)]);
    await letGo();
    await vi.waitFor(async () => {
      const running = `SELECT count(*)::int AS n FROM replays WHERE workspace_id = 'ws_crowded' AND state = 'running'`;
      expect(await dataSource.query(running)).toEqual([{ n: 0 }]);
    }, 20_000);
  });

  it('is one at a time for a form, of bounded size, and never without a state', async () => {
    await failed(50, 0);
    const answers = await Promise.all(Array.from({ length: 10 }, () => start({ state: 'failed' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array.from({ length: 9 }, () => 429)]);
    const running = answers.find(({ status }) => status === 202)!;
    expect(answers.find(({ status }) => status === 429)!.headers.get('retry-after')).toBe('30');
    await stage.call('DELETE', replays(`/${running.body.id}`));
    await failed(61, 1, { state: 'cancelled', reason: 'endpoint_disabled' });
    expect((await start({ state: 'cancelled' })).body.errors).toMatchObject([{ field: 'filter', code: 'too_many' }]);
    expect((await start({})).body.errors).toMatchObject([{ field: 'filter.state', code: 'required' }]);
    expect((await start({ state: 'pending' })).status).toBe(422);
    expect((await stage.call('POST', replays(), { body: {} })).status).toBe(422);
    expect((await stage.call('GET', replays('/rpl_unknown'))).status).toBe(404);
    const key = await stage.key('ws_other', ['deliveries:read', 'deliveries:replay']);
    const own = await stage.form('ws_other');
    expect((await stage.call('GET', `/v1/forms/${own}/replays/${running.body.id}`, { key })).status).toBe(404);
  });
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

/** How many rows of deliveries a plan went through. */
const rowsOfDeliveries = (node: PlanNode): number =>
  (node['Relation Name']?.startsWith('deliveries') ? node['Actual Rows'] * node['Actual Loops'] : 0) +
  (node.Plans ?? []).reduce((sum, child) => sum + rowsOfDeliveries(child), 0);
