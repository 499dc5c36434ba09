import { connect, type ConsumeMessage } from 'amqplib';
import pg from 'pg';
import { BARE_LOG, given, QUORUM } from './bare-topology.js';

const COLUMNS =
  'delivery_id text, event_id text, path text, status int, excerpt text, duration_ms int, at timestamptz, body text';
const CREATE = `
  CREATE TABLE IF NOT EXISTS bare_attempts (${COLUMNS});
  CREATE INDEX IF NOT EXISTS bare_by_path ON bare_attempts (path, at);
  CREATE INDEX IF NOT EXISTS bare_by_delivery ON bare_attempts (delivery_id)`;
const INSERT = `
  INSERT INTO bare_attempts
  SELECT "deliveryId", "eventId", path, status, excerpt, "durationMs", to_timestamp(at / 1000.0), body
  FROM json_to_recordset($1::json) AS record ("deliveryId" text, "eventId" text, path text, status int, excerpt text,
    "durationMs" int, at float8, body text)`;

const pool = new pg.Pool({ connectionString: given('DATABASE_URL'), max: 2 });
await pool.query(CREATE);
const channel = await (await connect(given('RABBITMQ_URL'), { noDelay: true })).createChannel();
await channel.assertQueue(BARE_LOG, QUORUM);
await channel.prefetch(32);

let waiting: ConsumeMessage[] = [];
let writing = false;

/** What has come since the last transaction, in one statement; then it is acknowledged. */
async function write(): Promise<void> {
  if (writing) return;
  writing = true;
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    const records = batch.flatMap(({ content }) => JSON.parse(content.toString()) as unknown[]);
    await pool.query({ name: 'insert', text: INSERT, values: [JSON.stringify(records)] });
    channel.ack(batch.at(-1)!, true);
  }
  writing = false;
}

await channel.consume(BARE_LOG, (message) => {
  if (!message) return process.exit(1);
  waiting.push(message);
  void write();
});
process.send!({ port: 0 });
process.on('disconnect', () => process.exit(0));
