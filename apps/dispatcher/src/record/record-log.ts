import { Injectable } from '@nestjs/common';
import { PublishFailed, TO_LOG } from '@form-webhooks/broker';
import { logBatchMessage, type LogRecord } from '@form-webhooks/messages';
import { MessagePublisher } from '../publish/message-publisher.js';
import { DeliveryLog } from './delivery-log.js';

const MAX_RECORDS = 500;
const MAX_BYTES = 256 * 1024;
/** What a record without a tail takes in the index, about; only a bound on the message's size rests on it. */
const RECORD_BYTES = 1_024;

interface Entry {
  readonly record: LogRecord;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The dispatcher's half of the delivery log: records travel many to a message, gathered for a while. The POST is done by
 * then, only the ack of its message waits; a message and a transaction for each record would cost as much as the POST.
 * One that is larger than a message should be goes alone. How many wait is bounded by the work in flight.
 */
@Injectable()
export class RecordLog extends DeliveryLog {
  private gathered: Entry[] = [];
  private bytes = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param gatherMs how long the first of a message waits for others */
  constructor(
    private readonly publisher: MessagePublisher,
    private readonly gatherMs: number,
  ) {
    super();
  }

  override record(record: LogRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      const size = sizeOf(record);
      if (this.gathered.length > 0 && this.bytes + size > MAX_BYTES) this.flush();
      this.gathered.push({ record, resolve, reject });
      this.bytes += size;
      if (this.gathered.length >= MAX_RECORDS || this.bytes >= MAX_BYTES) this.flush();
      else this.timer ??= setTimeout(() => this.flush(), this.gatherMs);
    });
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const entries = this.gathered;
    this.gathered = [];
    this.bytes = 0;
    void this.send(entries);
  }

  private async send(entries: readonly Entry[]): Promise<void> {
    try {
      await this.publisher.publish(TO_LOG, logBatchMessage(entries.map(({ record }) => record)));
      for (const { resolve } of entries) resolve();
    } catch (error) {
      if (entries.length === 1 || error instanceof PublishFailed) return entries.forEach(({ reject }) => reject(error));
      // A bug with one of them: the others must not fail with it.
      for (const entry of entries) void this.send([entry]);
    }
  }
}

function sizeOf(record: LogRecord): number {
  if (record.kind === 'event') return record.tail.length + 256 + 96 * record.deliveries.length;
  if (record.kind === 'fence') return RECORD_BYTES;
  const response = record.attempt?.response;
  return RECORD_BYTES + (response?.excerpt.length ?? 0) + (response?.bytes?.length ?? 0);
}
