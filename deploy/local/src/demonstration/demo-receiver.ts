import { createServer, type Server } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { Deduplicator, SIGNATURE_HEADER, verifyReplayWindow, verifySignature } from '@form-webhooks/receiver';
import { Webhook } from 'standardwebhooks';
import type { IssuedCertificate } from '../state/certificates.js';

/** One request as the receiver saw it. */
export interface ReceivedRequest {
  readonly path: string;
  readonly deliveryId: string;
  readonly event: string;
  readonly body: Buffer;
  readonly arrivedAt: number;
  /** `X-Service-Signature`, by the kit for receivers. */
  readonly plainSignature: boolean;
  /** The three Standard Webhooks headers, by that project's library. */
  readonly standardSignature: boolean;
  readonly inReplayWindow: boolean;
  /** False if this delivery was handled before: a retry after a lost answer, or a replay. */
  readonly isNew: boolean;
  readonly status: number;
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const REMEMBERED = 1_000;
const HOSTS = ['127.0.0.1', '::1'];

/**
 * A receiver as a customer would write one, with two paths: `/healthy` takes everything, `/flaky` first says 503 for a
 * while.
 */
export class DemoReceiver {
  private readonly servers: readonly Server[];
  private readonly secrets = new Map<string, string>();
  private readonly handled = new Deduplicator();
  private readonly refusals = new Map<string, number>();
  private readonly received: ReceivedRequest[] = [];

  /** @param flakyRefusals how often `/flaky` refuses a delivery before it takes it */
  constructor(
    certificate: IssuedCertificate,
    private readonly flakyRefusals: number,
    private readonly onRequest: (request: ReceivedRequest) => void,
  ) {
    this.servers = HOSTS.map(() =>
      createServer({ cert: certificate.cert, key: certificate.key }, (request, response) => {
        this.answer(request).then(
          (status) => response.writeHead(status, { 'content-type': 'text/plain' }).end(status < 300 ? 'thank you' : ''),
          () => response.destroy(), // the sender went away, or sent too much
        );
      }),
    );
  }

  /** On both loopback addresses, as `localhost` can mean either; a machine may have no IPv6. */
  async listen(port: number): Promise<void> {
    const listening = this.servers.map((server, index) => listenOn(server, port, HOSTS[index]!));
    // Both before the first is judged: where it fails, a second failure that nobody waited for would end the process.
    const [first] = await Promise.allSettled(listening);
    if (first!.status === 'rejected') throw first!.reason;
  }

  async close(): Promise<void> {
    for (const server of this.servers) {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    }
  }

  /** The secret of the endpoint with this path. */
  trust(path: string, secret: string): void {
    this.secrets.set(path, secret);
  }

  /** What arrived at a path for a delivery, oldest first. */
  requestsOf(path: string, deliveryId: string): ReceivedRequest[] {
    return this.received.filter((request) => request.path === path && request.deliveryId === deliveryId);
  }

  private async answer(request: IncomingMessage): Promise<number> {
    const path = (request.url ?? '/').split('?')[0]!;
    if (request.method !== 'POST') return 204; // the check that the endpoint responds
    const body = await bodyOf(request);
    const seen = this.examine(path, request, body);
    const status = this.statusFor(seen);
    const isNew = status < 300 && this.handled.claim(`${path} ${seen.deliveryId}`);
    const record = { ...seen, status, isNew };
    this.received.push(record);
    if (this.received.length > REMEMBERED) this.received.shift();
    this.onRequest(record);
    return status;
  }

  /** What a receiver checks before it believes a request: both signatures over the raw bytes, and the age. */
  private examine(path: string, request: IncomingMessage, body: Buffer): Omit<ReceivedRequest, 'status' | 'isNew'> {
    const secret = this.secrets.get(path);
    const event = parseEvent(body);
    return {
      path,
      body,
      arrivedAt: Date.now(),
      deliveryId: event.delivery_id ?? '',
      event: event.event ?? '',
      plainSignature: secret !== undefined && verifySignature(body, request.headers[SIGNATURE_HEADER], secret),
      standardSignature: secret !== undefined && verifyStandard(body, request, secret),
      inReplayWindow: verifyReplayWindow(event.timestamp ?? NaN),
    };
  }

  private statusFor(seen: Omit<ReceivedRequest, 'status' | 'isNew'>): number {
    // Endpoints that somebody adds on other paths to try things out: their secret isn't known here.
    if (!this.secrets.has(seen.path)) return 200;
    if (!seen.plainSignature || !seen.standardSignature || !seen.inReplayWindow) return 401;
    if (seen.path !== '/flaky') return 200;
    const refused = this.refusals.get(seen.deliveryId) ?? 0;
    if (refused >= this.flakyRefusals) {
      this.refusals.delete(seen.deliveryId);
      return 200;
    }
    this.refusals.set(seen.deliveryId, refused + 1);
    return 503;
  }
}

const listenOn = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new RangeError('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

interface EventFacts {
  readonly event?: string;
  readonly delivery_id?: string;
  readonly timestamp?: number;
}

function parseEvent(body: Buffer): EventFacts {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function verifyStandard(body: Buffer, request: IncomingMessage, secret: string): boolean {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(',') : (value ?? ''),
    ]),
  );
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
