import { PublishFailed, TO_EVENTS, toLane, type Destination, type OutgoingMessage } from '@form-webhooks/broker';
import type { EventId, FormId, SubmissionId } from '@form-webhooks/domain';
import type { EventMessage } from '@form-webhooks/messages';
import { describe, expect, it } from 'vitest';
import type { LaneChoice } from './lane-choice.js';
import { BrokerEventQueue } from './broker-event-queue.js';

const eventOf = (eventId: string): EventMessage => ({
  event: 'submission.created',
  eventId: eventId as EventId,
  formId: 'f_1' as FormId,
  submissionId: 's_1' as SubmissionId,
  acceptedAt: 0,
  tail: Buffer.from('}'),
});

const NORMAL: LaneChoice = { laneOf: () => 'normal' };

/** A publisher whose confirms the test gives. */
class HeldPublisher {
  available = true;
  readonly copies: { readonly id: string; confirm(): void; fail(): void }[] = [];

  readonly destinations: Destination[] = [];

  publishPatiently(to: Destination, { messageId }: OutgoingMessage): Promise<void> {
    this.destinations.push(to);
    return new Promise((resolve, reject) =>
      this.copies.push({
        id: messageId!,
        confirm: resolve,
        fail: () => reject(new PublishFailed('disconnected', TO_EVENTS)),
      }),
    );
  }

  get published(): string[] {
    return this.copies.map(({ id }) => id);
  }
}

describe('BrokerEventQueue', () => {
  const make = (confirmTimeoutMs = 1) => {
    const publisher = new HeldPublisher();
    return { publisher, queue: new BrokerEventQueue(publisher, confirmTimeoutMs, NORMAL) };
  };

  it('publishes one copy of an event that is sent again before its fate is known', async () => {
    const { publisher, queue } = make();
    await expect(queue.publish(eventOf('evt_1'))).rejects.toMatchObject({ code: 'timeout' });
    const again = queue.publish(eventOf('evt_1'));
    publisher.copies[0]!.confirm();
    await again;
    expect(publisher.published).toEqual(['evt_1']);
  });

  it('publishes by the lane that is chosen for the event', async () => {
    const publisher = new HeldPublisher();
    const queue = new BrokerEventQueue(publisher, 1, {
      laneOf: ({ formId }) => (formId === 'f_1' ? 'bulk-2' : 'normal'),
    });
    await expect(queue.publish(eventOf('evt_1'))).rejects.toThrow(PublishFailed);
    expect(publisher.destinations).toEqual([toLane('bulk-2')]);
  });

  it('answers by a confirm that came late, once', async () => {
    const { publisher, queue } = make();
    await expect(queue.publish(eventOf('evt_1'))).rejects.toThrow(PublishFailed);
    publisher.copies[0]!.confirm();
    await Promise.resolve();
    await queue.publish(eventOf('evt_1'));
    expect(publisher.published).toEqual(['evt_1']);
    await expect(queue.publish(eventOf('evt_1'))).rejects.toThrow(PublishFailed);
    expect(publisher.published).toEqual(['evt_1', 'evt_1']);
  });

  it('is not answered by what another connection confirmed: its broker may have lost it', async () => {
    const { publisher, queue } = make();
    await expect(queue.publish(eventOf('evt_1'))).rejects.toThrow(PublishFailed);
    publisher.copies[0]!.confirm();
    await Promise.resolve();
    queue.forgetConfirms();
    await expect(queue.publish(eventOf('evt_1'))).rejects.toThrow(PublishFailed);
    expect(publisher.published).toEqual(['evt_1', 'evt_1']);
  });

  it('is not remembered once somebody who joined it was answered', async () => {
    const { publisher, queue } = make(200);
    await expect(queue.publish(eventOf('evt_1'))).rejects.toThrow(PublishFailed);
    const joined = queue.publish(eventOf('evt_1'));
    publisher.copies[0]!.confirm();
    await joined;
    const lost = queue.publish(eventOf('evt_1'));
    expect(publisher.published).toEqual(['evt_1', 'evt_1']);
    publisher.copies[1]!.confirm();
    await lost;
  });

  it('publishes again what was confirmed in time: somebody may have lost it since', async () => {
    const { publisher, queue } = make(10_000);
    for (const n of [0, 1]) {
      const published = queue.publish(eventOf('evt_1'));
      publisher.copies[n]!.confirm();
      await published;
    }
    expect(publisher.published).toEqual(['evt_1', 'evt_1']);
  });

  it('publishes again what the broker certainly or possibly did not get', async () => {
    const { publisher, queue } = make();
    await expect(queue.publish(eventOf('evt_1'))).rejects.toMatchObject({ code: 'timeout' });
    const joined = queue.publish(eventOf('evt_1'));
    publisher.copies[0]!.fail();
    await expect(joined).rejects.toMatchObject({ code: 'disconnected' });
    await expect(queue.publish(eventOf('evt_1'))).rejects.toThrow(PublishFailed);
    expect(publisher.published).toEqual(['evt_1', 'evt_1']);
  });

  it('does not wait for a copy that no confirm can come for', async () => {
    const { publisher, queue } = make(1);
    await expect(queue.publish(eventOf('evt_1'))).rejects.toMatchObject({ code: 'timeout' });
    publisher.available = false;
    await expect(queue.publish(eventOf('evt_1'))).rejects.toMatchObject({ code: 'blocked' });
    expect(publisher.published).toEqual(['evt_1']);
  });

  it('remembers a bounded number of late confirms', async () => {
    const { publisher, queue } = make();
    const ids = Array.from({ length: 10_001 }, (_, n) => `evt_${n}`);
    const published = ids.map((id) => queue.publish(eventOf(id)));
    for (const { status } of await Promise.allSettled(published)) expect(status).toBe('rejected');
    for (const { confirm } of publisher.copies) confirm();
    await Promise.resolve();
    await queue.publish(eventOf('evt_1'));
    await expect(queue.publish(eventOf('evt_0'))).rejects.toThrow(PublishFailed);
    expect(publisher.published).toHaveLength(10_002);
  });
});
