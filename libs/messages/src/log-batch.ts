import { readJsonObject } from './json-object.js';
import type { DeliveryRecord, EventRecord, FenceRecord, LogRecord } from './log-records.js';
import { SCHEMA_VERSION, unknownVersion } from './schema-version.js';
import { UnreadableMessage } from './unreadable-message.js';

/*
 * Many records travel in one message: a 4-byte big-endian length, a JSON index of that many bytes, then the events'
 * tails one after another. The tails stay bytes: they are never escaped, parsed or copied through a string.
 */
const LENGTH_BYTES = 4;

interface Index {
  readonly schema_version: number;
  readonly records: readonly (
    DeliveryRecord | FenceRecord | (Omit<EventRecord, 'tail'> & { readonly tail_length: number })
  )[];
}

/** A message for the exchange `webhook.log` with these records. */
export const logBatchMessage = (records: readonly LogRecord[]) => messageOfEncoded(records.map(encodeRecord));

/** The same of records that were encoded before. */
export const messageOfEncoded = (records: readonly EncodedRecord[]) => ({
  headers: { schema_version: SCHEMA_VERSION },
  body: joinRecords(records),
});

export const encodeLogBatch = (records: readonly LogRecord[]): Buffer => joinRecords(records.map(encodeRecord));

/** A record as a batch has it: its entry in the index, and an event's tail. */
export interface EncodedRecord {
  readonly entry: Buffer;
  readonly tail: Buffer | undefined;
}

/**
 * Encoded when it is made a record is all that waits for others: what it was made of, answers among it, can go. As bytes,
 * since texts that wait, and those that would be made of them all, are garbage of their size again.
 */
export function encodeRecord(record: LogRecord): EncodedRecord {
  if (record.kind !== 'event') return { entry: Buffer.from(JSON.stringify(record)), tail: undefined };
  const { tail } = record;
  return { entry: Buffer.from(JSON.stringify({ ...record, tail: undefined, tail_length: tail.length })), tail };
}

const BEFORE_ENTRIES = Buffer.from(`{"schema_version":${SCHEMA_VERSION},"records":[`);
const BETWEEN_ENTRIES = Buffer.from(',');
const BEHIND_ENTRIES = Buffer.from(']}');

function joinRecords(records: readonly EncodedRecord[]): Buffer {
  const entries = records.flatMap(({ entry }, n) => (n === 0 ? entry : [BETWEEN_ENTRIES, entry]));
  const index = [BEFORE_ENTRIES, ...entries, BEHIND_ENTRIES];
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(index.reduce((sum, part) => sum + part.length, 0));
  const tails = records.flatMap(({ tail }) => tail ?? []);
  return Buffer.concat([length, ...index, ...tails]);
}

/** @throws UnreadableMessage */
export function decodeLogBatch(body: Buffer): LogRecord[] {
  const index = readIndex(body);
  let at = LENGTH_BYTES + body.readUInt32BE();
  const records = index.records.map((entry): LogRecord => {
    if (entry.kind !== 'event') return entry;
    const { tail_length, ...rest } = entry;
    const tail = body.subarray(at, at + tail_length);
    at += tail_length;
    return { ...rest, tail };
  });
  if (at !== body.length) throw new UnreadableMessage(`a log batch of ${body.length} bytes describes ${at}`);
  return records;
}

function readIndex(body: Buffer): Index {
  if (body.length < LENGTH_BYTES || body.length < LENGTH_BYTES + body.readUInt32BE()) {
    throw new UnreadableMessage('a log batch is shorter than its index');
  }
  const text = body.toString('utf8', LENGTH_BYTES, LENGTH_BYTES + body.readUInt32BE());
  const { schema_version, records } = readJsonObject(text, 'the index of a log batch');
  if (schema_version !== SCHEMA_VERSION) throw unknownVersion(schema_version);
  if (!Array.isArray(records) || !records.every(isEntry)) {
    throw new UnreadableMessage('the index of a log batch lists something that is no record');
  }
  return { schema_version, records: records as Index['records'] };
}

function isEntry(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, tail_length } = value as { kind?: unknown; tail_length?: unknown };
  if (kind === 'delivery' || kind === 'fence') return true;
  return kind === 'event' && Number.isInteger(tail_length) && (tail_length as number) >= 0;
}
