import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { chooseFreePort, choosePorts, firstOffsetOf, isPortFree } from './free-port.js';

const server = createServer();
afterEach(() => void server.close());

const takenPort = (): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));

describe('free ports', () => {
  it('tells a taken port', async () => {
    expect(await isPortFree(await takenPort())).toBe(false);
  });

  it('keeps the one of the last time while it is free, and takes another when it is not', async () => {
    const free = await chooseFreePort();
    expect(await chooseFreePort(free)).toBe(free);
    const taken = await takenPort();
    expect(await chooseFreePort(taken)).not.toBe(taken);
  });

  it('stays below the ports that outgoing connections take', async () => {
    expect(await chooseFreePort()).toBeLessThan(32_768);
  });

  it('gives no port a second time, though nobody listens on the first yet', async () => {
    const ports = [];
    for (let nth = 0; nth < 500; nth += 1) ports.push(await chooseFreePort());
    expect(new Set(ports).size).toBe(500);
  });

  it('looks far from where processes look that were started with it', () => {
    const PORTS = 12_768;
    const starts = Array.from({ length: 12 }, (_, n) => firstOffsetOf(4_711 + n)).toSorted((a, b) => a - b);
    const gaps = starts.map((start, n) => (starts[n + 1] ?? starts[0]! + PORTS) - start);
    expect(Math.min(...gaps)).toBeGreaterThan(500);
  });

  it('gives different ports to different names, even if the memory names one twice', async () => {
    const one = await chooseFreePort();
    const ports = await choosePorts(['a', 'b', 'c'], { a: one, b: one, c: 'damaged' });
    expect(ports.a).toBe(one);
    expect(new Set(Object.values(ports)).size).toBe(3);
  });
});
