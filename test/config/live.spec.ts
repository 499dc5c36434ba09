import { connect } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TO_LOG } from '@form-webhooks/broker';
import type { FormId } from '@form-webhooks/domain';
import type { LiveChangeDto } from '@form-webhooks/http-api';
import { encodeLogBatch } from '@form-webhooks/messages';
import { ADMIN_KEY, ConfigStage, SECRET_KEYS, startableService, startedAt } from '../support/config/config-stage.js';
import { anEvent, aStep } from '../support/config/delivery-log.js';
import { sampleOf } from '../support/metrics/samples.js';

const IN_TIME = { timeout: 20_000, interval: 50 };
const PER_CALLER = 3;

/** A page that is open: what it was told, and whether it still is. */
class OpenPage {
  text = '';
  isOver = false;
  private readonly abort = new AbortController();

  private constructor(readonly response: Response) {}

  static async at(url: string, key: string, headers: Record<string, string> = {}): Promise<OpenPage> {
    const abort = new AbortController();
    const authorization = `Bearer ${key}`;
    const response = await fetch(url, { headers: { authorization, ...headers }, signal: abort.signal });
    const page = new OpenPage(response);
    page.abort.signal.addEventListener('abort', () => abort.abort());
    void page.read();
    return page;
  }

  /** The topics of every notice so far. */
  get told(): string[][] {
    return [...this.text.matchAll(/event: changed\nid: .*\ndata: (.*)\n\n/g)].map(
      ([, data]) => (JSON.parse(data!) as LiveChangeDto).topics,
    );
  }

  close(): void {
    this.abort.abort();
  }

  private async read(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of this.response.body!) this.text += decoder.decode(chunk as Uint8Array, { stream: true });
    } catch {
      // Closed by the test, or cut.
    }
    this.isOver = true;
  }
}

describe('live updates of a form', () => {
  let stage: ConfigStage;
  let form: FormId;
  const pages: OpenPage[] = [];

  beforeAll(async () => {
    stage = await ConfigStage.open({ LIVE_STREAMS_PER_CALLER: String(PER_CALLER) });
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    form = (await stage.form('ws_one')) as FormId;
  });
  afterEach(() => {
    for (const page of pages.splice(0)) page.close();
  });

  async function open(options: { key?: string; of?: string; url?: string; headers?: Record<string, string> } = {}) {
    const { key = ADMIN_KEY, of = form, url = stage.url, headers } = options;
    const page = await OpenPage.at(`${url}/v1/forms/${of}/live`, key, headers);
    pages.push(page);
    if (page.response.status === 200) await vi.waitFor(() => expect(page.text).toContain('event: open'), IN_TIME);
    return page;
  }
  const tells = (page: OpenPage, topic: string) => vi.waitFor(() => expect(page.told.flat()).toContain(topic), IN_TIME);
  const addEndpoint = async () =>
    (await stage.call('POST', `/v1/forms/${form}/endpoints`, { body: { url: 'https://a.example.com' } })).body;

  const replayAll = () => stage.call('POST', `/v1/forms/${form}/replays`, { body: { filter: { state: 'failed' } } });
  const timesTold = (page: OpenPage, topic: string) => page.told.flat().filter((one) => one === topic).length;

  it('say that endpoints changed, and say nothing to pages of other forms', async () => {
    const other = await open({ of: await stage.form('ws_one') });
    const page = await open();
    expect(page.response.headers.get('content-type')).toBe('text/event-stream');
    expect(page.response.headers.get('cache-control')).toBe('no-store');
    await replayAll();
    await tells(page, 'replays');
    // What came before, such as the registration of the forms, has been told by now.
    const before = timesTold(page, 'endpoints');
    await addEndpoint();
    await vi.waitFor(() => expect(timesTold(page, 'endpoints')).toBeGreaterThan(before), IN_TIME);
    expect(other.told.flat()).not.toContain('replays');
  });

  it('say that deliveries changed, of events, and of a test as soon as it is asked for', async () => {
    const page = await open();
    const event = anEvent({ formId: form });
    const body = encodeLogBatch([event, aStep(event)]);
    await stage.broker.publisher.publish(TO_LOG, { headers: {}, body });
    await tells(page, 'deliveries');
    const { id } = await addEndpoint();
    const before = timesTold(page, 'deliveries');
    await stage.call('POST', `/v1/forms/${form}/endpoints/${id}/test`, { body: {} });
    await vi.waitFor(() => expect(timesTold(page, 'deliveries')).toBeGreaterThan(before), IN_TIME);
  });

  it('say how a replay goes', async () => {
    const page = await open();
    await replayAll();
    await tells(page, 'replays');
  });

  it('reach a page wherever it is open', async () => {
    const second = startableService(stage.databaseUrl, { SECRET_KEYS });
    try {
      const page = await open({ url: await startedAt(second) });
      await vi.waitFor(async () => {
        await replayAll();
        expect(page.told.flat()).toContain('replays');
      }, IN_TIME);
      const stopped = second.stop();
      await vi.waitFor(() => expect(page.text).toContain('"reason":"stopping"'), IN_TIME);
      await stopped;
    } finally {
      await second.stop();
    }
  });

  it('tell a page that was cut off to read everything again', async () => {
    const page = await open({ headers: { 'last-event-id': '2026-11-28T12:00:00.000Z' } });
    expect(page.text).toContain('"topics":["endpoints","deliveries","replays"]');
    expect((await open()).text).toContain('"topics":[]');
  });

  it('tell every page to read everything again when notices may have been missed', async () => {
    const page = await open();
    const client = new pg.Client({ connectionString: stage.databaseUrl });
    await client.connect();
    const ended = await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '%config log'`,
    );
    await client.end();
    expect(ended.rowCount).toBeGreaterThan(0);
    await vi.waitFor(() => expect(page.told).toContainEqual(['endpoints', 'deliveries', 'replays']), IN_TIME);
    const before = timesTold(page, 'endpoints');
    await addEndpoint();
    await vi.waitFor(() => expect(timesTold(page, 'endpoints')).toBeGreaterThan(before), IN_TIME);
  });

  it('are open to so many pages of a caller, who gets the place back of one that is closed', async () => {
    const key = await stage.key('ws_one', ['endpoints:read', 'deliveries:read']);
    const first = await open({ key });
    for (let n = 1; n < PER_CALLER; n++) await open({ key });
    const refused = await open({ key });
    expect(refused.response.status).toBe(429);
    expect(Number(refused.response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await open()).response.status, 'of another caller').toBe(200);
    first.close();
    await vi.waitFor(async () => expect((await open({ key })).response.status).toBe(200), IN_TIME);
  });

  it('give back the places of pages whose connection goes while they wait behind others', async () => {
    const key = await stage.key('ws_one', ['endpoints:read', 'deliveries:read']);
    const { healthUrl } = await stage.service.start();
    const opened = (count: number) =>
      vi.waitFor(async () => expect(await sampleOf(healthUrl, 'config_live_streams')).toBe(count), IN_TIME);
    await opened(0);
    const socket = connect(Number(new URL(stage.url).port), '127.0.0.1').on('error', () => undefined);
    const ask = `GET /v1/forms/${form}/live HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n\r\n`;
    socket.resume().write(ask.repeat(PER_CALLER));
    await opened(PER_CALLER);
    socket.destroy();
    await opened(0);
    expect((await open({ key })).response.status).toBe(200);
  });

  it('are only described to who asks with HEAD', async () => {
    const answer = await stage.call('HEAD', `/v1/forms/${form}/live`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  });

  it('end when the key is revoked, and go on for others', async () => {
    const body = { name: 'k', workspace_id: 'ws_one', scopes: ['endpoints:read', 'deliveries:read'] };
    const [revoked, other] = await Promise.all(
      [1, 2].map(async () => (await stage.call('POST', '/v1/api-keys', { body })).body),
    );
    const [page, another] = [await open({ key: revoked.key }), await open({ key: other.key })];
    expect((await stage.call('DELETE', `/v1/api-keys/${revoked.id}?workspace_id=ws_one`)).status).toBe(204);
    await vi.waitFor(() => expect(page.isOver).toBe(true), IN_TIME);
    expect(page.text).toContain('event: end\ndata: {"reason":"credential_expired"}');
    await replayAll();
    await tells(another, 'replays');
  });

  it('end with the credential', async () => {
    const scopes = ['endpoints:read', 'deliveries:read'];
    // Again if the machine stood still for as long as the key lives.
    const page = await vi.waitFor(async () => {
      const expires_at = new Date(Date.now() + 3_000).toISOString();
      const body = { name: 'short', workspace_id: 'ws_one', scopes, expires_at };
      const opened = await open({ key: String((await stage.call('POST', '/v1/api-keys', { body })).body.key) });
      expect(opened.response.status).toBe(200);
      return opened;
    }, IN_TIME);
    await vi.waitFor(() => expect(page.isOver).toBe(true), IN_TIME);
    expect(page.text).toContain('event: end\ndata: {"reason":"credential_expired"}');
  });
});

describe('a service without room for more streams', () => {
  it('sends pages away, to poll', async () => {
    const stage = await ConfigStage.open({ LIVE_STREAMS: '0' });
    try {
      const form = await stage.form('ws_one');
      const refused = await stage.call('GET', `/v1/forms/${form}/live`);
      expect([refused.status, refused.body.code]).toEqual([503, 'live_unavailable']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await stage.close();
    }
  });
});
