import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { QUEUES } from '@form-webhooks/broker';
import { RabbitMqServer, temporaryFolder } from '@form-webhooks/local';
import { connect } from 'amqplib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { anEvent, IngestStage, metricOf, ready, startTestIngest } from '../support/ingest-service.js';

const WAIT = { timeout: 60_000, interval: 50 };
const LONG = { timeout: 180_000 };

let server: RabbitMqServer;
const folder = temporaryFolder('form-webhooks-ingest-');

beforeAll(async () => {
  server = new RabbitMqServer({ folder: join(folder.path, 'rabbitmq') });
  await server.start();
});

afterAll(async () => {
  await server.discard();
  folder.remove();
});

/** Ingest beside this broker, closed with the test. */
async function openStage(env: Record<string, string> = {}): Promise<IngestStage> {
  const stage = await IngestStage.open(server.url, env);
  onTestFinished(() => stage.close());
  return stage;
}

/** Nothing may be published until it is cleared; the broker tells connections so. */
async function raiseAlarm(): Promise<void> {
  onTestFinished(clearAlarm);
  await server.ctl('set_vm_memory_high_watermark', '0.0000001');
}

async function clearAlarm(): Promise<void> {
  await server.ctl('set_vm_memory_high_watermark', '0.8');
}

/** The ids of all events in the dispatchers' queue, which is emptied. */
async function drainEvents(url: string): Promise<string[]> {
  const connection = await connect(url);
  const channel = await connection.createChannel();
  const ids: string[] = [];
  for (let message = await channel.get(QUEUES.events); message; message = await channel.get(QUEUES.events)) {
    ids.push(String(message.properties.messageId));
    channel.ack(message);
  }
  await channel.close();
  await connection.close();
  return ids;
}

describe('while the broker takes nothing (memory alarm)', () => {
  it('answers 503 with Retry-After, accepts nothing falsely, and goes on when it clears', LONG, async () => {
    const stage = await openStage({ CONFIRM_TIMEOUT: '1s' });
    await vi.waitFor(
      async () => expect((await stage.post(anEvent({ idempotency_key: '"before"' }))).status).toBe(202),
      WAIT,
    );
    await raiseAlarm();
    for (let i = 0; i < 3; i++) {
      const response = await stage.post(anEvent({ idempotency_key: '"during"' }));
      expect(response.status).toBe(503);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await response.json()).toMatchObject({ status: 503, code: 'not_confirmed' });
    }
    expect((await fetch(`${stage.ingest.healthUrl}/health/ready`)).status).toBe(503);
    await clearAlarm();
    await vi.waitFor(
      async () => expect((await stage.post(anEvent({ idempotency_key: '"after"' }))).status).toBe(202),
      WAIT,
    );
    // Its first copy lay in the connection throughout.
    const during = await vi.waitFor(async () => {
      const response = await stage.post(anEvent({ idempotency_key: '"during"' }));
      expect(response.status).toBe(202);
      return ((await response.json()) as { event_id: string }).event_id;
    }, WAIT);
    await ready(stage.ingest);
    const ids = await drainEvents(server.url);
    expect(new Set(ids).size).toBe(3);
    expect(ids.filter((id) => id === during)).toHaveLength(1);
  });

  it('holds messages of form.events without handing them back, and publishes all when it clears', LONG, async () => {
    const outside = await openStage();
    await outside.ingest.stop();
    const sent = Array.from({ length: 80 }, (_, n) => `m-${n}`);
    for (const messageId of sent) outside.publish(anEvent(), { messageId });
    await vi.waitFor(async () => expect(await outside.depth(QUEUES.formEvents)).toBe(sent.length), WAIT);
    await raiseAlarm();
    const ingest = await startTestIngest(server.url, { CONFIRM_TIMEOUT: '500ms', FORM_EVENTS_PREFETCH: '20' });
    onTestFinished(() => ingest.stop());
    // The door takes what it may hold, finds that nothing can be published, and takes no more.
    await vi.waitFor(async () => expect(await outside.depth(QUEUES.formEvents)).toBe(60), WAIT);
    await clearAlarm();
    await vi.waitFor(async () => {
      const lines = await metricOf(ingest, 'ingest_events_accepted_total');
      expect(lines).toEqual(['ingest_events_accepted_total{door="amqp",app="ingest"} 80']);
    }, WAIT);
    const ids = await drainEvents(server.url);
    expect(new Set(ids).size).toBe(80);
    // What was in the connection when the alarm began is not published a second time.
    expect(ids).toHaveLength(80);
    for (const queue of [QUEUES.formEvents, QUEUES.formEventsRejected, `${QUEUES.formEvents}.parked`]) {
      expect(await outside.depth(queue)).toBe(0);
    }
  });
});

describe('while the broker is away', () => {
  it('answers 202 or 503 and nothing else, and every 202 is in the queue afterwards', LONG, async () => {
    const stage = await openStage({ CONFIRM_TIMEOUT: '2s' });
    const accepted = new Set<string>();
    const statuses = new Set<number>();
    let done = false;
    const post = async (worker: number): Promise<void> => {
      for (let n = 0; !done; n++) {
        const response = await stage.post(anEvent({ idempotency_key: `"${worker}-${n}"` }));
        statuses.add(response.status);
        const body = (await response.json()) as { event_id: string };
        if (response.status === 202) accepted.add(body.event_id);
        // A broker that starts beside four callers who never pause takes twice as long.
        await delay(20);
      }
    };
    const workers = [0, 1, 2, 3].map(post);
    await vi.waitFor(() => expect(accepted.size).toBeGreaterThan(50), WAIT);
    await server.restart();
    const before = accepted.size;
    await vi.waitFor(() => expect(accepted.size).toBeGreaterThan(before + 50), WAIT);
    done = true;
    await Promise.all(workers);
    expect([...statuses].sort()).toEqual([202, 503]);
    const kept = new Set(await drainEvents(server.url));
    expect([...accepted].filter((id) => !kept.has(id))).toEqual([]);
  });

  it('starts without it, says that it is not ready, answers 503, and serves once it is there', LONG, async () => {
    const { url } = server;
    await server.stop();
    const ingest = await startTestIngest(url);
    try {
      expect((await fetch(`${ingest.healthUrl}/health/live`)).status).toBe(200);
      expect((await fetch(`${ingest.healthUrl}/health/ready`)).status).toBe(503);
      const response = await fetch(`${ingest.url}/v1/events`, {
        method: 'POST',
        headers: { authorization: 'Bearer an-admin-key-of-the-operator', 'content-type': 'application/json' },
        body: anEvent(),
      });
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).not.toBeNull();
      await server.start();
      await ready(ingest, 60_000);
    } finally {
      await ingest.stop();
    }
  });
});

describe('stopping', () => {
  it('finishes the posts in flight', LONG, async () => {
    const stage = await openStage({ STOP_TIMEOUT: '20s' });
    await stage.post(anEvent());
    const posts = Array.from({ length: 50 }, () => stage.post(anEvent({ fields: `{"a":"${'x'.repeat(60_000)}"}` })));
    await Promise.race(posts);
    await stage.ingest.stop();
    const answered = (await Promise.allSettled(posts)).filter((post) => post.status === 'fulfilled');
    // What had not reached the service when it closed its port is refused by the port; the rest is served.
    expect(answered.length).toBeGreaterThan(0);
    for (const { value } of answered) expect(value.status).toBe(202);
    const kept = await drainEvents(server.url);
    expect(kept.length).toBeGreaterThanOrEqual(answered.length);
  });

  it('does not wait for ever for a caller that never finishes its request', LONG, async () => {
    const ingest = await startTestIngest(server.url, { STOP_TIMEOUT: '300ms' });
    await ready(ingest);
    const { port } = new URL(ingest.url);
    const socket = connectSocket(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    await new Promise<void>((resolve) => socket.on('connect', () => resolve()));
    socket.write('POST /v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n');
    const startedAt = performance.now();
    await ingest.stop();
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    socket.destroy();
  });
});
