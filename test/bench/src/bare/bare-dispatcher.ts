import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { connect, type ConsumeMessage } from 'amqplib';
import { BARE_EVENTS, BARE_LOG, given, QUORUM, type BareRecord } from './bare-topology.js';

const GATHER_MS = 100;
const GATHER_RECORDS = 64;
const paths = given('BARE_PATHS').split(',');
const receiver = given('BARE_RECEIVER');
const agent = new Agent({ keepAlive: true, maxSockets: 128, ca: readFileSync(given('BENCH_CA_FILE')) });
const consuming = await (await connect(given('RABBITMQ_URL'), { noDelay: true })).createChannel();
const publishing = await (await connect(given('RABBITMQ_URL'), { noDelay: true })).createConfirmChannel();
for (const queue of [BARE_EVENTS, BARE_LOG]) await consuming.assertQueue(queue, QUORUM);
await consuming.prefetch(1_000);

let records: BareRecord[] = [];
let messages: ConsumeMessage[] = [];
let timer: NodeJS.Timeout | undefined;

/** Records are confirmed before their events are acknowledged. */
function flush(): void {
  clearTimeout(timer);
  timer = undefined;
  const [sent, done] = [records, messages];
  [records, messages] = [[], []];
  publishing.publish('', BARE_LOG, Buffer.from(JSON.stringify(sent)), { persistent: true }, (error: unknown) => {
    if (error) process.exit(1);
    for (const message of done) consuming.ack(message);
  });
}

function attempt(message: ConsumeMessage, path: string): Promise<BareRecord> {
  const eventId = String(message.properties.messageId);
  const deliveryId = `dlv_${createHash('sha256').update(`${eventId}${path}`).digest('base64url').slice(0, 22)}`;
  const at = Date.now();
  const head = `{"delivery_id":"${deliveryId}","timestamp":${Math.floor(at / 1_000)},`;
  const body = Buffer.concat([Buffer.from(head), message.content.subarray(1)]);
  const signature = createHmac('sha256', 'whsec_bench').update(body).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    'x-service-signature': signature,
  };
  return new Promise((resolve) => {
    const end = (status: number, excerpt: string): void =>
      resolve({ deliveryId, eventId, path, status, excerpt, durationMs: Date.now() - at, at, body: body.toString() });
    const posting = request(`${receiver}${path}`, { method: 'POST', agent, headers, timeout: 15_000 }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => end(response.statusCode!, Buffer.concat(chunks).toString()));
    });
    posting.on('error', (error) => end(0, error.message)).end(body);
  });
}

await consuming.consume(BARE_EVENTS, (message) => {
  if (!message) return process.exit(1);
  void Promise.all(paths.map((path) => attempt(message, path))).then((made) => {
    records.push(...made);
    messages.push(message);
    if (records.length >= GATHER_RECORDS) flush();
    else timer ??= setTimeout(flush, GATHER_MS);
  });
});
process.send!({ port: 0 });
process.on('disconnect', () => process.exit(0));
