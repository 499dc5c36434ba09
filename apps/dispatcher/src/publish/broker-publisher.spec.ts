import { TO_LOG, type Destination, type OutgoingMessage, type RetryPlacement } from '@form-webhooks/broker';
import { describe, expect, it } from 'vitest';
import { BrokerPublisher, UntilConfirmed } from './broker-publisher.js';

const MESSAGE: OutgoingMessage = { headers: { a: 1 }, body: Buffer.from('b') };

/** Publishes everything twice, as if the first confirm had not come. */
class Twice extends UntilConfirmed {
  override async untilConfirmed<T>(publish: () => Promise<T>): Promise<T> {
    await publish();
    return publish();
  }
}

function stage() {
  const published: { to: Destination; message: OutgoingMessage }[] = [];
  const delayed: { endpointId: string; delayMs: number; message: OutgoingMessage }[] = [];
  const publisher = {
    publish: async (to: Destination, message: OutgoingMessage) => void published.push({ to, message }),
  };
  const retries = {
    publish: async (
      endpointId: string,
      delayMs: number,
      messageFor: (placement: RetryPlacement) => OutgoingMessage,
    ) => {
      const placement = { queue: 'retry.shared', delayMs: delayMs + 1 };
      delayed.push({ endpointId, delayMs, message: messageFor(placement) });
      return placement;
    },
  };
  return { published, delayed, publisher: new BrokerPublisher(publisher, retries, new Twice()) };
}

describe('what the dispatcher publishes', () => {
  it('is published again until it is confirmed', async () => {
    const { publisher, published } = stage();
    await publisher.publish(TO_LOG, MESSAGE);
    expect(published).toEqual([
      { to: TO_LOG, message: MESSAGE },
      { to: TO_LOG, message: MESSAGE },
    ]);
  });

  it('is published again where it waits, made anew for the delay of its place', async () => {
    const { publisher, delayed } = stage();
    let made = 0;
    const messageFor = (delayMs: number) => ({ ...MESSAGE, headers: { delayMs, made: ++made } });
    await publisher.publishDelayed('we_1', 10_000, messageFor, MESSAGE.body.length);
    expect(delayed).toEqual([
      { endpointId: 'we_1', delayMs: 10_000, message: { ...MESSAGE, headers: { delayMs: 10_001, made: 1 } } },
      { endpointId: 'we_1', delayMs: 10_000, message: { ...MESSAGE, headers: { delayMs: 10_001, made: 2 } } },
    ]);
  });
});
