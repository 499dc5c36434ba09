import { createServer, type Server } from 'node:https';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { issueCertificate, loadAuthority } from '@form-webhooks/local';
import { inject } from 'vitest';

/** One request as a receiver saw it. */
export interface ReceivedRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** ms since the epoch, when the last byte was there. */
  readonly at: number;
}

/** What a receiver does with a request; `nth` counts the POSTs to this path from 1. */
export type Behaviour = (response: ServerResponse, request: ReceivedRequest, nth: number) => void;

export const answer =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end();

/** Never answers. */
export const hang: Behaviour = () => undefined;

/** Cuts the connection without an answer. */
export const reset: Behaviour = (response) => void response.socket?.destroy();

/** Another behaviour for each of the first POSTs, and the last one from then on. */
export const inTurn =
  (...behaviours: readonly Behaviour[]): Behaviour =>
  (response, request, nth) =>
    behaviours[Math.min(nth, behaviours.length) - 1]!(response, request, nth);

/**
 * An HTTPS receiver on the loopback whose behaviour the test states, path by path. Its record is the judge of what was
 * delivered. `HEAD`, the check of a new endpoint, is answered with 200 unless stated otherwise and
 * recorded apart.
 */
export class Receiver {
  private readonly behaviours = new Map<string, Behaviour>();
  private readonly requests = new Map<string, ReceivedRequest[]>();
  private readonly heads: ReceivedRequest[] = [];
  private readonly headStatuses = new Map<string, number>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Receiver> {
    const authority = await loadAuthority(inject('caFile'), inject('caKeyFile'));
    const { cert, key } = await issueCertificate(authority, {
      dnsNames: ['localhost'],
      ipAddresses: ['127.0.0.1'],
    });
    const server = createServer({ cert, key });
    const receiver = new Receiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('error', () => undefined);
      request.on('end', () =>
        receiver.take(response, {
          path: request.url ?? '',
          method: request.method ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks),
          at: Date.now(),
        }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  /** The URL of a path, which behaves as stated; 200 unless stated otherwise. */
  url(path: string, behaviour: Behaviour = answer(200)): string {
    this.behaviours.set(path, behaviour);
    return `https://localhost:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** The POSTs to a path so far. */
  received(path: string): readonly ReceivedRequest[] {
    return this.requests.get(path) ?? [];
  }

  /** What a `HEAD` of a path is answered with from now on. */
  answerChecks(path: string, status: number): void {
    this.headStatuses.set(path, status);
  }

  /** The checks of a path so far. */
  checks(path: string): readonly ReceivedRequest[] {
    return this.heads.filter((request) => request.path === path);
  }

  /** The paths that were posted to. */
  paths(): readonly string[] {
    return [...this.requests.keys()];
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }

  private take(response: ServerResponse, request: ReceivedRequest): void {
    if (request.method === 'HEAD') {
      this.heads.push(request);
      response.writeHead(this.headStatuses.get(request.path) ?? 200, { location: 'https://elsewhere.example/' }).end();
      return;
    }
    const requests = this.requests.get(request.path) ?? [];
    requests.push(request);
    this.requests.set(request.path, requests);
    (this.behaviours.get(request.path) ?? answer(404))(response, request, requests.length);
  }
}
