import { createHmac } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { BEHAVIOUR_NAMES, BEHAVIOURS, type Behaviour, type BehaviourName } from './behaviours.js';
import type { FromReceivers, ToReceivers } from './receiver-messages.js';
import { writePost } from './record.js';

/*
 * The receivers of a run, in a process of their own that no fault touches: what it wrote down is what was delivered.
 */

const SIGNATURE_HEADER = 'x-service-signature';

class Receivers {
  private record: WriteStream | undefined;
  private readonly servers: Server[] = [];
  private readonly secrets = new Map<string, string>();
  private readonly watched = new Set<string>();
  /** How often a delivery came that was not yet answered with a 2xx. */
  private readonly failures = new Map<string, number>();
  private posts = 0;
  private answered2xx = 0;

  hear(message: ToReceivers): void {
    switch (message.kind) {
      case 'open':
        return void this.open(message);
      case 'present':
        return this.present(message);
      case 'secret':
        return void this.secrets.set(message.path, message.secret);
      case 'watch':
        return void this.watched.add(message.path);
      case 'count':
        return tell({ kind: 'counted', posts: this.posts, answered2xx: this.answered2xx });
      case 'flush':
        return void this.record!.write('', () => tell({ kind: 'flushed' }));
    }
  }

  private async open({ cert, key, recordFile }: ToReceivers & { kind: 'open' }): Promise<void> {
    this.record = createWriteStream(recordFile);
    const ports = {} as Record<BehaviourName, number>;
    for (const name of BEHAVIOUR_NAMES) {
      const server = createServer({ cert, key, keepAliveTimeout: 20_000 }, (request, response) =>
        this.take(BEHAVIOURS[name], request, response),
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      this.servers.push(server);
      ports[name] = (server.address() as AddressInfo).port;
    }
    tell({ kind: 'opened', ports });
  }

  private present({ cert, key }: ToReceivers & { kind: 'present' }): void {
    for (const server of this.servers) server.setSecureContext({ cert, key });
    tell({ kind: 'presented' });
  }

  private take(behaviour: Behaviour, request: IncomingMessage, response: ServerResponse): void {
    if (request.method === 'HEAD') return void response.writeHead(200).end();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined); // its sender was killed: what did not arrive whole was not received
    request.on('end', () => this.reply(behaviour, request, response, Buffer.concat(chunks)));
  }

  private reply(behaviour: Behaviour, request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const at = Date.now();
    const path = request.url ?? '';
    const { delivery_id: deliveryId, fields } = JSON.parse(body.toString('utf8')) as Envelope;
    const nth = (this.failures.get(deliveryId) ?? 0) + 1;
    this.failures.set(deliveryId, nth);
    this.posts += 1;
    let answered = false;
    response.on('finish', () => (answered = true));
    response.on('close', () => {
      const status = answered ? response.statusCode : 0;
      const signed = this.isSigned(path, body, request.headers[SIGNATURE_HEADER]);
      this.record!.write(writePost({ at, path, deliveryId, marker: fields.marker, status, signed }));
      if (status < 200 || status > 299) return;
      this.failures.delete(deliveryId);
      this.answered2xx += 1;
      if (this.watched.has(path)) tell({ kind: 'arrived', path, marker: fields.marker });
    });
    const reply = behaviour(deliveryId, nth);
    if (reply.kind === 'hang') return;
    setTimeout(() => {
      if (reply.kind === 'cut') return void response.socket?.destroy();
      if (reply.retryAfter !== undefined) response.setHeader('retry-after', String(reply.retryAfter));
      response.writeHead(reply.status).end();
    }, reply.delayMs);
  }

  private isSigned(path: string, body: Buffer, signature: string | string[] | undefined): boolean {
    const secret = this.secrets.get(path);
    return secret !== undefined && createHmac('sha256', secret).update(body).digest('hex') === signature;
  }
}

interface Envelope {
  readonly delivery_id: string;
  readonly fields: { readonly marker: number };
}

const tell = (message: FromReceivers): void => void process.send!(message);

const receivers = new Receivers();
process.on('message', (message: ToReceivers) => receivers.hear(message));
// The suite ended: so does this.
process.on('disconnect', () => process.exit(0));
// A Ctrl-C in the terminal is the suite's to handle.
process.on('SIGINT', () => undefined);
