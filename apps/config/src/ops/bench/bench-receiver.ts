import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { OpsFailure, wrongCall } from '../ops-command.js';

const LARGEST_BODY = 64 * 1024;

/** Where the receiver listens, and by what it speaks TLS. */
export interface ReceiverPlace {
  /** Such as `0.0.0.0:8443`; port 0 for any. */
  readonly listen: string;
  /** Files in PEM; without them it speaks plain HTTP, for a proxy before it that ends TLS. */
  readonly certificate: { readonly certFile: string; readonly keyFile: string } | undefined;
}

/** Takes the deliveries of a measurement, answers each with 204, and tells of each body that is read whole. */
export class BenchReceiver {
  private constructor(private readonly server: Server) {}

  /** @throws OpsFailure if it can't listen there, or a file can't be read */
  static async start({ listen, certificate }: ReceiverPlace, onBody: (body: string) => void): Promise<BenchReceiver> {
    const [, host, port] = /^(.+):(\d{1,5})$/.exec(listen) ?? [];
    if (host === undefined) throw wrongCall(`--listen ${listen} is no address`, 'give one such as 0.0.0.0:8443');
    const take = (request: IncomingMessage, response: ServerResponse): void => void answer(request, response, onBody);
    try {
      const server = certificate === undefined ? createHttpServer(take) : createHttpsServer(read(certificate), take);
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(Number(port), host.replace(/^\[|\]$/g, ''), resolve);
      });
      return new BenchReceiver(server);
    } catch (error) {
      const advice = 'give an address of this machine that is free by --listen, and PEM files that can be read';
      throw new OpsFailure(`the receiver can't be started at ${listen}: ${(error as Error).message}`, advice);
    }
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const read = ({ certFile, keyFile }: { readonly certFile: string; readonly keyFile: string }) => ({
  cert: readFileSync(certFile),
  key: readFileSync(keyFile),
});

/** The check of a new endpoint is a HEAD; what is no delivery of ours is answered and forgotten. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  onBody: (body: string) => void,
): Promise<void> {
  try {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) {
      body += chunk as string;
      if (body.length > LARGEST_BODY) return void request.destroy();
    }
    if (request.method === 'POST') onBody(body);
    response.writeHead(204).end();
  } catch {
    // The sender is gone: it tries again, and is counted then.
    response.destroy();
  }
}
