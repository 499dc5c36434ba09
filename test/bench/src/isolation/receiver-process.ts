import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';

/** What the bench asks of the receivers: so many origins, the arrivals since, or that some listen no more. */
export type Ask =
  | { readonly ask: 'listen'; readonly origins: number }
  | { readonly ask: 'arrivals' }
  | { readonly ask: 'close'; readonly ports: readonly number[] };
export type Answer =
  { readonly ports: readonly number[] } | { readonly arrivals: readonly (readonly [id: string, at: number])[] };

/*
 * Receivers in a process of their own; the path says what becomes of a POST: `/hang…` gets no answer, `/slow<ms>…` one
 * after that time, all others at once. Arrivals are kept of submissions whose id begins with `s_timed`.
 */
const TIMED = /"submission_id":"(s_timed[A-Za-z0-9_-]*)"/;
const DELAY = /^\/slow(\d+)/;
const servers = new Map<number, Server>();
const arrivals: [string, number][] = [];

function createReceiver(): Server {
  const tls = { cert: process.env['BENCH_CERT'], key: process.env['BENCH_KEY'] };
  const server = createServer(tls, (request, response) => {
    let head = '';
    request.on('data', (chunk: Buffer) => (head += head.length < 512 ? chunk.toString('latin1', 0, 512) : ''));
    request.on('end', () => {
      const timed = request.method === 'POST' ? TIMED.exec(head)?.[1] : undefined;
      if (timed !== undefined) arrivals.push([timed, Date.now()]);
      if (request.method === 'POST' && request.url!.startsWith('/hang')) return;
      const delayMs = request.method === 'POST' ? Number(DELAY.exec(request.url!)?.[1] ?? 0) : 0;
      setTimeout(() => response.writeHead(200).end(), delayMs);
    });
  });
  server.keepAliveTimeout = 60_000;
  return server;
}

async function listen(): Promise<number> {
  const server = createReceiver();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  servers.set(port, server);
  return port;
}

async function answer(asked: Ask): Promise<Answer> {
  switch (asked.ask) {
    case 'listen':
      return { ports: await Promise.all(Array.from({ length: asked.origins }, listen)) };
    case 'arrivals':
      return { arrivals: arrivals.splice(0) };
    case 'close':
      for (const port of asked.ports) {
        servers.get(port)!.close();
        servers.get(port)!.closeAllConnections();
      }
      return { ports: asked.ports };
  }
}

process.on('message', (asked: Ask) => void answer(asked).then((told) => process.send!(told)));
process.on('disconnect', () => process.exit(0));
