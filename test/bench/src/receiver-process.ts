import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** What the bench asks of the receiver, and what it answers; both by the process's message channel. */
export type ReceiverRequest = { readonly ask: 'count' } | { readonly ask: 'arrivals' };
export type ReceiverAnswer =
  | { readonly port: number }
  | { readonly count: number }
  | { readonly arrivals: readonly (readonly [submissionId: string, at: number])[] };

/*
 * A receiver in a process of its own that answers 200 at once, `/slow` never, and counts. Arrivals are kept only for
 * submissions whose id asks for it (`s_timed…`), so that counting costs as little as it can.
 */
const TIMED = /"submission_id":"(s_timed[A-Za-z0-9_-]*)"/;
const arrivals: [string, number][] = [];
let count = 0;

const server = createServer({ cert: process.env['BENCH_CERT'], key: process.env['BENCH_KEY'] }, (request, response) => {
  let head = '';
  request.on('data', (chunk: Buffer) => {
    if (head.length < 512) head += chunk.toString('latin1', 0, 512);
  });
  request.on('end', () => {
    if (request.method === 'POST') {
      count += 1;
      const timed = TIMED.exec(head)?.[1];
      if (timed !== undefined) arrivals.push([timed, Date.now()]);
    }
    if (request.url === '/hang' && request.method === 'POST') return;
    response.writeHead(200).end();
  });
});
server.keepAliveTimeout = 60_000;

process.on('message', (request: ReceiverRequest) => {
  const answer: ReceiverAnswer = request.ask === 'count' ? { count } : { arrivals: arrivals.splice(0) };
  process.send!(answer);
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));
