import { text } from 'node:stream/consumers';
import { growCommand, readQueues, shortQueues } from './queue-members.js';

/**
 * `rabbitmqctl -q list_queues --formatter json name type members | node …/check-queue-members.js <nodes>`: whether every
 * quorum queue has a member on each node of the cluster. AMQP tells nobody, so no service can.
 */
const nodes = Number(process.argv[2]);
if (!Number.isInteger(nodes) || nodes < 1) {
  console.error('give the number of nodes in the cluster, such as 3');
  process.exit(2);
}
const short = shortQueues(readQueues(await text(process.stdin)), nodes);
for (const { name, members } of short) console.log(`${name} has ${members} of ${nodes} members`);
if (short.length > 0) console.log(`for each node that lacks them: ${growCommand(short)}`);
else console.log(`every quorum queue has ${nodes} members`);
process.exitCode = short.length === 0 ? 0 : 1;
