import { EventPattern } from '@nestjs/microservices';
import { DONE, MessageController, park, QUEUES, type IncomingMessage, type Verdict } from '@form-webhooks/broker';
import { decodeLogBatch, encodeLogBatch, UnreadableMessage, type LogRecord } from '@form-webhooks/messages';
import type { TraceParent } from '@form-webhooks/domain';
import type { UnwritableRecord } from '@form-webhooks/storage';
import { Tracing, type SpanAttributes } from '@form-webhooks/telemetry';
import { NoticeSender } from '../live/notice-sender.js';
import { RetryUntilWritten } from './retry-until-written.js';

/** Takes the dispatchers' records from the broker into the database. */
@MessageController()
export class DeliveryLogController {
  constructor(
    private readonly writer: RetryUntilWritten,
    private readonly notices: NoticeSender,
    private readonly tracing: Tracing,
  ) {}

  /** Only what can't be written is parked: the rest is in the log already, and people's data must not lie twice. */
  @EventPattern<string>(QUEUES.deliveryLog)
  async record(message: IncomingMessage): Promise<Verdict> {
    const records = read(message.body);
    if (!Array.isArray(records)) return park(records.message);
    const unwritable = await this.write(records);
    this.noteForms(records);
    if (unwritable.length === 0) return DONE;
    return park(reasonOf(unwritable), encodeLogBatch(unwritable.map(({ record }) => record)));
  }

  /** A batch is of many traces: its span is linked to those, and belongs to none. */
  private write(records: readonly LogRecord[]): Promise<readonly UnwritableRecord[]> {
    const attributes = (unwritable?: readonly UnwritableRecord[]): SpanAttributes => ({
      'webhook.records': records.length,
      ...(unwritable && { 'webhook.unwritable': unwritable.length }),
    });
    return this.tracing.during(
      'write delivery log',
      { kind: 'consumer', links: tracesOf(records), attributes, whenThrown: 'handed_back' },
      () => this.writer.write(records),
    );
  }

  private noteForms(records: readonly LogRecord[]): void {
    for (const record of records) {
      if (record.kind === 'fence') continue;
      this.notices.note(record.formId, 'deliveries');
      // Its answer may have switched the endpoint off.
      if (record.kind === 'delivery' && record.reason === 'gone') this.notices.note(record.formId, 'endpoints');
    }
  }
}

const tracesOf = (records: readonly LogRecord[]): TraceParent[] => [
  ...new Set(records.flatMap((record) => (record.kind === 'fence' || !record.trace ? [] : [record.trace]))),
];

function read(body: Buffer): LogRecord[] | UnreadableMessage {
  try {
    return decodeLogBatch(body);
  } catch (error) {
    if (error instanceof UnreadableMessage) return error;
    throw error;
  }
}

function reasonOf(unwritable: readonly UnwritableRecord[]): string {
  const { record, reason } = unwritable[0]!;
  const others = unwritable.length > 1 ? ` (and ${unwritable.length - 1} more)` : '';
  return `record of ${subjectOf(record)}: ${reason}${others}`;
}

function subjectOf(record: LogRecord): string {
  if (record.kind === 'fence') return 'a fence';
  return record.kind === 'event' ? record.eventId : record.deliveryId;
}
