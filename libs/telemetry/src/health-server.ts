import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.js';

/** What a service needs in order to do its work. */
export abstract class Readiness {
  /** Each thing that it needs, and whether that is there now; without one of them the service isn't ready. */
  abstract checks(): Readonly<Record<string, boolean>>;
}

export interface HealthServerOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

/**
 * `/health/live` (the process answers), `/health/ready` (200 or 503 with the single checks) and `/metrics`, on a port
 * of their own: served before and apart from the consumers, and never exposed with the API.
 */
export class HealthServer {
  private readonly server: Server;

  constructor(private readonly options: HealthServerOptions) {
    this.server = createServer({ requestTimeout: 5_000 }, (request, response) => {
      void this.answer(request.method ?? '', request.url ?? '', response);
    });
  }

  /** @returns the address that it is reached at. @throws Error if that can't be listened on */
  async start(): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.options.port, this.options.host, () => resolve());
    });
    const { address, family, port } = this.server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(method: string, url: string, response: ServerResponse): Promise<void> {
    const path = url.split('?')[0];
    if (method !== 'GET' && method !== 'HEAD') return reply(response, 405, { error: 'only GET is served here' });
    if (path === '/health/live') return reply(response, 200, { status: 'live' });
    if (path === '/health/ready') {
      const checks = this.options.readiness.checks();
      const ready = Object.values(checks).every(Boolean);
      return reply(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', checks });
    }
    if (path !== '/metrics') return reply(response, 404, { error: 'try /health/live, /health/ready or /metrics' });
    try {
      const text = await this.options.metrics.render();
      response.writeHead(200, { 'content-type': this.options.metrics.contentType }).end(text);
    } catch (error) {
      reply(response, 500, { error: (error as Error).message });
    }
  }
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
