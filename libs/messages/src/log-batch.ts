import { SCHEMA_VERSION } from './headers.js';
import type { DeliveryRecord, EventRecord, LogRecord } from './log-records.js';
import { UnreadableMessage } from './unreadable-message.js';

/*
 * Many records travel in one message: a 4-byte big-endian length, a JSON index of that many bytes, then the events'
 * tails one after another. The tails stay bytes: they are never escaped, parsed or copied through a string.
 */
const LENGTH_BYTES = 4;

interface Index {
  readonly schema_version: number;
  readonly records: readonly (DeliveryRecord | (Omit<EventRecord, 'tail'> & { readonly tail_length: number }))[];
}

export function encodeLogBatch(records: readonly LogRecord[]): Buffer {
  const tails: Buffer[] = [];
  const entries = records.map((record) => {
    if (record.kind !== 'event') return record;
    const { tail, ...rest } = record;
    tails.push(tail);
    return { ...rest, tail_length: tail.length };
  });
  const index = Buffer.from(JSON.stringify({ schema_version: SCHEMA_VERSION, records: entries }), 'utf8');
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(index.length);
  return Buffer.concat([length, index, ...tails]);
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
  let index: Index;
  try {
    index = JSON.parse(body.toString('utf8', LENGTH_BYTES, LENGTH_BYTES + body.readUInt32BE())) as Index;
  } catch {
    throw new UnreadableMessage('the index of a log batch is not JSON');
  }
  if (index.schema_version !== SCHEMA_VERSION) {
    throw new UnreadableMessage(`schema_version is ${index.schema_version}; this service reads ${SCHEMA_VERSION}`);
  }
  return index;
}
