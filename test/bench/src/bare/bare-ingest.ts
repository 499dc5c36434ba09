import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'amqplib';
import { BARE_EVENTS, given, QUORUM } from './bare-topology.js';

const connection = await connect(given('RABBITMQ_URL'), { noDelay: true });
const channel = await connection.createConfirmChannel();
await channel.assertQueue(BARE_EVENTS, QUORUM);

/** Answers 202 once the broker has the event safe. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    JSON.parse(body.toString());
    const eventId = `evt_${createHash('sha256').update(body).digest('base64url').slice(0, 22)}`;
    channel.publish('', BARE_EVENTS, body, { persistent: true, messageId: eventId }, (error: unknown) => {
      response.writeHead(error ? 503 : 202).end(JSON.stringify({ event_id: eventId }));
    });
  });
});
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
