import type { LogRecord } from '@form-webhooks/messages';

/** The delivery log as the dispatcher writes to it. */
export abstract class DeliveryLog {
  /** Resolves once the broker has the record safe. It rejects only for bugs. */
  abstract record(record: LogRecord): Promise<void>;
}
