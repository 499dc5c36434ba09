import { CuttableProxy } from './cuttable-proxy.js';

/** A server that services are connected with. */
export type ServerName = 'RabbitMQ' | 'PostgreSQL';

/** The ways of one service to its servers, on which its connections can be frozen. */
export class ServiceProxies {
  private readonly proxies = new Map<ServerName, CuttableProxy>();

  /** @returns the server's URL with a proxy's address in it */
  async open(server: ServerName, url: string): Promise<string> {
    const proxy = new CuttableProxy(new URL(url));
    this.proxies.set(server, proxy);
    return proxy.open();
  }

  /** @throws Error if there is nothing to freeze */
  freeze(server: ServerName): void {
    const frozen = this.proxies.get(server)?.freeze('up', 'down') ?? 0;
    if (frozen === 0) throw new Error(`there is no connection to ${server} that could be frozen`);
  }

  async close(): Promise<void> {
    for (const proxy of this.proxies.values()) await proxy.cut();
  }
}
