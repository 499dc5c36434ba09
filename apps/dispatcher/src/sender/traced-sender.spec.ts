import { readTraceParent } from '@form-webhooks/domain';
import { Tracing, type RunningSpan, type SpanStart } from '@form-webhooks/telemetry';
import { describe, expect, it } from 'vitest';
import { AttemptSender } from '../attempt/attempt-delivery.js';
import { aDelivery, anAnswer, anEndpoint, anError, aTimeout } from '../testing/factories.js';
import { TracedSender } from './traced-sender.js';

const PARENT = readTraceParent('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')!;

class SpansInMemory extends Tracing {
  readonly begun: SpanStart[] = [];
  readonly ended: [Record<string, unknown>, string | undefined][] = [];

  override begin(_name: string, start: SpanStart): RunningSpan {
    this.begun.push(start);
    return { traceParent: PARENT, end: (attributes, failure) => void this.ended.push([attributes, failure]) };
  }

  override stop = (): Promise<void> => Promise.resolve();
}

class Answering extends AttemptSender {
  constructor(override readonly send: AttemptSender['send']) {
    super();
  }
}

const delivery = aDelivery({ trace: PARENT });
const endpoint = anEndpoint({ url: 'https://receiver.example/hook/token-of-the-owner?key=secret' });

describe('an attempt', () => {
  it('is a span of its event’s trace, with ids and the answer, and nothing of the owner’s address but its host', async () => {
    const spans = new SpansInMemory();
    const sender = new TracedSender(new Answering(async () => anAnswer(204)), spans);
    await sender.send(delivery, endpoint, 'ws_1');
    expect(spans.begun).toEqual([{ kind: 'client', parent: PARENT }]);
    const [attributes, failure] = spans.ended[0]!;
    expect(attributes).toMatchObject({
      'webhook.delivery_id': delivery.deliveryId,
      'webhook.event_id': delivery.eventId,
      'http.response.status_code': 204,
      'server.address': 'receiver.example',
    });
    expect(failure).toBeUndefined();
    expect(JSON.stringify(attributes)).not.toMatch(/token-of|key=/);
  });

  it.each([
    ['the status', anAnswer(503), 'status_503'],
    ['the error', aTimeout(), aTimeout().error!.code],
  ])('that failed says why by %s', async (_by, sent, word) => {
    const spans = new SpansInMemory();
    await new TracedSender(new Answering(async () => sent), spans).send(delivery, endpoint, 'ws_1');
    expect(spans.ended[0]![1]).toBe(word);
  });

  it('to a URL that can not be read has no address, and fails as it would without its span', async () => {
    const spans = new SpansInMemory();
    const broken = anEndpoint({ url: 'http//nowhere' });
    await new TracedSender(new Answering(async () => anError('invalid_url')), spans).send(delivery, broken, 'ws_1');
    expect(spans.ended[0]![0]).not.toHaveProperty('server.address');
    expect(spans.ended[0]![1]).toBe('invalid_url');
  });

  it('that was not sent ends its span too, and the reason is the caller’s', async () => {
    const spans = new SpansInMemory();
    const broken = new Answering(() => Promise.reject(new TypeError('no such member')));
    await expect(new TracedSender(broken, spans).send(delivery, endpoint, 'ws_1')).rejects.toThrow('no such member');
    expect(spans.ended).toMatchObject([[{ 'webhook.delivery_id': delivery.deliveryId }, 'not_sent']]);
  });
});
