import { Inject, Injectable } from '@nestjs/common';
import {
  Broker,
  crashedQueueOf,
  EVENT_QUEUES,
  EVENT_RETRY_QUEUES,
  isNamedBy,
  lookAtQueue,
  parkedQueueOf,
  ParkedMessages,
  QUEUES,
  type ParkedMessage,
} from '@form-webhooks/broker';
import { inTime, rfc3339 } from '@form-webhooks/domain';
import type { BrokerFindingsDto, FoundParkedDto, WaitingQueueDto } from '@form-webhooks/http-api';
import { DataSource, LOCKS, withLockOnceFree } from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { readBatch } from '../parked/parked-contents.js';

/** Where an event is between its acceptance and its first row in the log. */
const BEFORE_THE_LOG: readonly string[] = [
  QUEUES.formEvents,
  ...EVENT_QUEUES,
  crashedQueueOf(QUEUES.formEvents),
  crashedQueueOf(QUEUES.events),
  ...EVENT_RETRY_QUEUES.map(({ name }) => name),
  QUEUES.deliveryLog,
  crashedQueueOf(QUEUES.deliveryLog),
];

/** What a search looks at is hidden from others meanwhile, so it is short. */
const SEARCH = { perQueue: 500, withinMs: 3_000 };
const TURN_WITHIN_MS = 2_000;
const ALL_WITHIN_MS = 10_000;

/** Looks for an event in what the broker holds: what is parked can be read, of work queues only the length is known. */
@Injectable()
export class BrokerSearch {
  private searching = false;

  constructor(
    private readonly broker: Broker,
    private readonly parked: ParkedMessages,
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @returns null if the broker does not answer in time, an erasure is looking through what is parked, or another
   * search is: each holds a connection to the database while it waits for its turn
   */
  async find(id: string): Promise<BrokerFindingsDto | null> {
    if (this.searching) return null;
    this.searching = true;
    const search = this.search(id)
      .finally(() => (this.searching = false))
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'the broker could not be searched for an event');
        return null;
      });
    return (await inTime(search, ALL_WITHIN_MS)) ? search : null;
  }

  private async search(id: string): Promise<BrokerFindingsDto> {
    const waiting = await this.waiting();
    // Two searches at a time would hide from each other what they look at.
    const { found, left } = await withLockOnceFree(
      this.dataSource,
      LOCKS.parkedReview,
      () => this.parked.search((message, body) => isAbout(message, body, id), SEARCH),
      TURN_WITHIN_MS,
    );
    return { parked: found.map(showParked), parked_not_searched: left, waiting };
  }

  private async waiting(): Promise<WaitingQueueDto[]> {
    const waiting: WaitingQueueDto[] = [];
    for (const queue of BEFORE_THE_LOG) {
      const messages = (await lookAtQueue(this.broker, queue))?.messages ?? 0;
      if (messages > 0) waiting.push({ queue, messages });
    }
    return waiting;
  }
}

/** Records for the log name their events and deliveries in the body. */
function isAbout(message: ParkedMessage, body: Buffer, id: string): boolean {
  if (isNamedBy(message, id)) return true;
  if (message.queue !== parkedQueueOf(QUEUES.deliveryLog)) return false;
  return readBatch(body).some(
    (record) =>
      record.kind !== 'fence' && (record.eventId === id || (record.kind === 'delivery' && record.deliveryId === id)),
  );
}

const textIf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const momentIf = (ms: number | null): string | null => (ms === null ? null : rfc3339(ms));

const showParked = (message: ParkedMessage): FoundParkedDto => ({
  queue: message.queue,
  reason: message.reason,
  message_id: message.messageId,
  event_id: textIf(message.headers['event_id']),
  delivery_id: textIf(message.headers['delivery_id']),
  parked_at: momentIf(message.parkedAt),
  sent_at: momentIf(message.sentAt),
  sent_by: message.sentBy,
});
