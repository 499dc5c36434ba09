import { Injectable } from '@nestjs/common';
import { toDeliveries } from '@form-webhooks/broker';
import type { EndpointId, EventOutcome } from '@form-webhooks/domain';
import {
  deliveryHeaders,
  firstDelivery,
  type DeliveryMessage,
  type EventMessage,
  type EventRecord,
} from '@form-webhooks/messages';
import { MessagePublisher } from '../publish/message-publisher.js';
import { DeliveryLog } from '../record/delivery-log.js';
import type { EventArrival } from './event-arrival.js';
import { RepeatedDeliveries } from './repeated-deliveries.js';
import { WaitingRoom } from './waiting-room.js';

/** How far a first attempt has come; neither is told of one that need not be made. */
export interface FirstProgress {
  /** It has waited for its turn. */
  begins(): void;
  /** Its POST is over, and its record is about to be made. */
  sent(): void;
}

/** Makes the first attempt of a delivery while its event's message is held. */
export abstract class FirstAttempts {
  /**
   * Resolves once the delivery is final and recorded, or safe in a queue, or once the broker has taken its event back
   * before the attempt began. It rejects only for bugs before the POST, and at a stop.
   * @param arrival of its event
   */
  abstract attempt(delivery: DeliveryMessage, arrival: EventArrival, progress: FirstProgress): Promise<void>;
}

/** After that an event is recorded though none of its attempts is over, ms. */
const SHOWN_WITHIN_MS = 1_000;

/**
 * Makes the deliveries of an event and their first attempts, straight from the event's message, which stays
 * unacknowledged until each delivery is final or waits in its endpoint's retry queue: a delivery that succeeds at once
 * costs the broker no message of its own. If this process dies meanwhile the event comes again, and then each delivery
 * that is not known to be over goes its own way as a message, so that one that kills its dispatcher takes no other with
 * it.
 */
@Injectable()
export class EventDeliveries {
  constructor(
    private readonly publisher: MessagePublisher,
    private readonly log: DeliveryLog,
    private readonly first: FirstAttempts,
    private readonly repeats: RepeatedDeliveries,
    private readonly room: WaitingRoom,
  ) {}

  /** @returns `repeated` if all of them were made when the event came before */
  async deliver(
    event: EventMessage,
    endpointIds: readonly EndpointId[],
    arrival: EventArrival,
  ): Promise<'fanned_out' | 'repeated'> {
    const { queue } = arrival;
    const wait = this.room.enter(queue, endpointIds.length);
    if (wait) await wait;
    let waiting = endpointIds.length;
    const begins = (): void => {
      waiting -= 1;
      this.room.leave(queue, 1);
    };
    try {
      // What the broker took back while it waited here is made by whoever got it then.
      if (wait && !arrival.isOurs()) return 'fanned_out';
      return await this.deliverNow(event, endpointIds, arrival, begins);
    } finally {
      this.room.leave(queue, waiting);
    }
  }

  private async deliverNow(
    event: EventMessage,
    endpointIds: readonly EndpointId[],
    arrival: EventArrival,
    begins: () => void,
  ): Promise<'fanned_out' | 'repeated'> {
    const deliveries = endpointIds.map((id) =>
      firstDelivery(event, id, { startedAt: event.acceptedAt, trigger: 'event' }),
    );
    const due = await this.repeats.without(deliveries, event, arrival);
    if (due.length === 0) return 'repeated';
    const fannedOutAt = Date.now();
    const record = (): Promise<void> => this.log.record(recordOf(event, 'fanned_out', deliveries, fannedOutAt));
    return arrival.redelivered ? this.publishEach(due, record) : this.attemptFirst(due, record, arrival, begins);
  }

  private async publishEach(due: readonly DeliveryMessage[], record: () => Promise<void>): Promise<'fanned_out'> {
    await allOf(due.map((delivery) => this.publish(delivery)));
    // Only now: the reconciler takes what the log knows, and no queue holds, for lost.
    await record();
    return 'fanned_out';
  }

  /**
   * Records the event with the first attempt that is over: its deliveries share a row's insert then, where each would be
   * inserted as pending and changed some 100 ms later [measured: a quarter of them under load]. What takes longer is to
   * be seen while it waits, and is recorded after a second. What comes by a bulk lane may be old by then, and would be
   * taken for lost while it waits here for its endpoint's room: its second begins with the first of its attempts.
   */
  private async attemptFirst(
    due: readonly DeliveryMessage[],
    record: () => Promise<void>,
    arrival: EventArrival,
    begins: () => void,
  ): Promise<'fanned_out'> {
    let recorded: Promise<void> | undefined;
    const recordOnce = (): Promise<void> => (recorded ??= record());
    const tellLog = (): void => void recordOnce().catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const tellLogSoon = (): void => void (timer ??= setTimeout(tellLog, SHOWN_WITHIN_MS));
    if (arrival.bulkLane === undefined) tellLogSoon();
    const progress = {
      begins: () => {
        begins();
        tellLogSoon();
      },
      sent: tellLog,
    };
    try {
      await allOf(due.map((delivery) => this.first.attempt(delivery, arrival, progress)));
    } finally {
      clearTimeout(timer);
    }
    // What the broker has taken back before any began is recorded by whoever gets it next.
    if (timer !== undefined || arrival.isOurs()) await recordOnce();
    return 'fanned_out';
  }

  private publish(delivery: DeliveryMessage): Promise<void> {
    const headers = deliveryHeaders({ ...delivery, cameBefore: true });
    return this.publisher.publish(toDeliveries(delivery.tail.length), { headers, body: delivery.tail });
  }
}

/**
 * What the log is told of an event: what became of it, and the deliveries that were made. Each member by its name: to put
 * it together from the event takes several times the memory.
 */
export const recordOf = (
  event: EventMessage,
  outcome: EventOutcome,
  deliveries: readonly DeliveryMessage[],
  fannedOutAt = Date.now(),
): EventRecord => ({
  kind: 'event',
  eventId: event.eventId,
  event: event.event,
  formId: event.formId,
  submissionId: event.submissionId,
  acceptedAt: event.acceptedAt,
  tail: event.tail,
  trace: event.trace,
  key: event.key,
  outcome,
  fannedOutAt,
  deliveries: deliveries.map(({ deliveryId, endpointId }) => ({ deliveryId, endpointId })),
});

/**
 * Waits for all of them also if one fails, so that nothing of an event is under way once it is handed back. Promise's own
 * way takes several times the memory, and thousands wait.
 * @throws what the first one to fail did
 */
function allOf(work: readonly Promise<void>[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = work.length;
    let failure: { readonly reason: Error } | undefined;
    const end = (): void => {
      left -= 1;
      if (left > 0) return;
      if (failure) reject(failure.reason);
      else resolve();
    };
    const fail = (reason: Error): void => {
      failure ??= { reason };
      end();
    };
    for (const one of work) one.then(end, fail);
  });
}
