import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { PrometheusServer } from './prometheus-server.js';

let pages: Server | undefined;
afterEach(() => pages?.close());

/** Stands for a Prometheus that has these pages. */
async function portOfOneWith(...paths: string[]): Promise<number> {
  pages = createServer(({ url = '' }, response) => response.writeHead(paths.includes(url) ? 200 : 404).end());
  await new Promise<void>((resolve) => pages!.listen(0, '127.0.0.1', resolve));
  return (pages.address() as AddressInfo).port;
}

describe('the alerts of the local Prometheus', () => {
  it.each([
    ['/alerts', 'a release'],
    ['/classic/alerts', "Debian's"],
  ])('are shown at %s by %s', async (path) => {
    const port = await portOfOneWith(path);
    const server = new PrometheusServer({ folder: '', rulesFile: '', port, healthPorts: {}, say: () => undefined });
    expect(await server.alertsUrl()).toBe(`http://127.0.0.1:${port}${path}`);
  });
});
