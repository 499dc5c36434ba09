import { brokerUrl } from '../broker-url.js';
import { QUEUES, TO_DELIVERIES, TO_LOG, type Broker } from '@form-webhooks/broker';
import {
  encodeLogBatch,
  isFence,
  readDeliveryMessage,
  readFenceMessage,
  type DeliveryMessage,
  type LogRecord,
} from '@form-webhooks/messages';
import { Probe } from '../broker.js';

/** A dispatcher as far as the reconciler knows one: it echoes fences, and records what it takes as delivered. */
export class EchoingDispatcher {
  readonly taken: DeliveryMessage[] = [];

  private constructor(
    private readonly probe: Probe,
    private readonly broker: Broker,
  ) {}

  static async open(broker: Broker): Promise<EchoingDispatcher> {
    const dispatcher = new EchoingDispatcher(await Probe.open(brokerUrl()), broker);
    for (const queue of [QUEUES.due, QUEUES.deliveries]) await dispatcher.consume(queue);
    await dispatcher.passFencesOn();
    return dispatcher;
  }

  private async consume(queue: string): Promise<void> {
    await this.probe.channel.consume(queue, (raw) => {
      if (!raw) return;
      const headers = raw.properties.headers ?? {};
      void this.record(isFence(headers) ? fenceRecord(headers) : this.take(readDeliveryMessage(headers, raw.content)));
      this.probe.channel.ack(raw);
    });
  }

  /** From the events to the deliveries, as a dispatcher does. */
  private async passFencesOn(): Promise<void> {
    await this.probe.channel.consume(QUEUES.events, (raw) => {
      if (!raw) return;
      const { headers = {} } = raw.properties;
      if (isFence(headers)) void this.broker.publisher.publish(TO_DELIVERIES, { headers, body: raw.content });
      this.probe.channel.ack(raw);
    });
  }

  private take(message: DeliveryMessage): LogRecord {
    this.taken.push(message);
    const { tail: _tail, dueAt: _dueAt, ...identity } = message;
    const [state, now] = ['delivered', Date.now()] as const;
    return { kind: 'delivery', ...identity, state, reason: null, nextAttemptAt: null, completedAt: now, attempt: null };
  }

  private async record(record: LogRecord): Promise<void> {
    await this.broker.publisher.publish(TO_LOG, { headers: {}, body: encodeLogBatch([record]) });
  }
}

const fenceRecord = (headers: Record<string, unknown>): LogRecord => ({ kind: 'fence', ...readFenceMessage(headers) });
