import { Injectable } from '@nestjs/common';
import { TO_LOG } from '@form-webhooks/broker';
import { encodeRecord, messageOfEncoded, type EncodedRecord, type LogRecord } from '@form-webhooks/messages';
import { MessagePublisher } from '../publish/message-publisher.js';
import { DeliveryLog } from './delivery-log.js';

const MAX_RECORDS = 500;
const MAX_BYTES = 256 * 1024;
/** Of a message besides its records; less than this. */
const FRAME_BYTES = 64;

interface Entry {
  readonly record: EncodedRecord;
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
      // Thrown here for a bug, so that no other record fails with it.
      const encoded = encodeRecord(record);
      const size = sizeOf(encoded);
      if (this.gathered.length > 0 && FRAME_BYTES + this.bytes + size > MAX_BYTES) this.flush();
      this.gathered.push({ record: encoded, resolve, reject });
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
      await this.publisher.publish(TO_LOG, messageOfEncoded(entries.map(({ record }) => record)));
      for (const { resolve } of entries) resolve();
    } catch (error) {
      for (const { reject } of entries) reject(error);
    }
  }
}

/** With the comma behind its entry. */
const sizeOf = ({ entry, tail }: EncodedRecord): number => entry.length + 1 + (tail?.length ?? 0);
