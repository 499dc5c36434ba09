import { createServer } from 'node:net';
import { LocalFailure } from '../failure.js';

/**
 * Below the range from which systems take ports for outgoing connections (32768 on Linux, 49152 elsewhere): one from
 * that range can be taken by any connection between its choice and its use.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;
const PORTS = LAST_PORT - FIRST_PORT + 1;
const TRIES = 200;

/**
 * The golden section of all: where a dozen processes begin that were started one after the other lies hundreds of ports
 * apart. Two that came to the same ones would be given one that the other has not listened on yet, or listens on again
 * in a moment.
 */
const STRIDE = 7_891;

/** Where a process of that number begins to look. */
export const firstOffsetOf = (pid: number): number => (pid * STRIDE) % PORTS;

/**
 * Where this process looks next. Each number is offered once before any comes again: whoever was given one listens on it
 * seconds later, and looked for by chance it would be given to somebody else meanwhile every few hundred times.
 */
let next = firstOffsetOf(process.pid);

/** Whether a server on this machine's loopback could listen on the port now. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    // Exclusive: a listener on all addresses makes this fail too, where the system can tell.
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/**
 * A free port on the loopback, the preferred one if it still is.
 * @param taken ports that were chosen a moment ago and aren't listened on yet
 */
export async function chooseFreePort(preferred?: number, taken: ReadonlySet<number> = new Set()): Promise<number> {
  if (isPort(preferred) && !taken.has(preferred) && (await isPortFree(preferred))) return preferred;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = FIRST_PORT + next;
    next = (next + 1) % PORTS;
    if (!taken.has(port) && (await isPortFree(port))) return port;
  }
  throw new LocalFailure(
    `No free port between ${FIRST_PORT} and ${LAST_PORT} was found on 127.0.0.1.`,
    'End something that listens there, or check that this machine lets programs listen on its loopback.',
  );
}

/** One free port for each name, those of the last time where they still are free. */
export async function choosePorts<Name extends string>(
  names: readonly Name[],
  remembered: Partial<Record<Name, unknown>> = {},
): Promise<Record<Name, number>> {
  const taken = new Set<number>();
  const ports = {} as Record<Name, number>;
  for (const name of names) {
    const last = remembered[name];
    ports[name] = await chooseFreePort(isPort(last) ? last : undefined, taken);
    taken.add(ports[name]);
  }
  return ports;
}

const isPort = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536;
