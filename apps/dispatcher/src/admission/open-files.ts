import { readFileSync } from 'node:fs';

/** The part of a process's open files that its sockets to receivers may be; the rest is the broker's, DNS's, health's. */
const FOR_RECEIVERS = 3 / 4;
/** The part of these that waits for a next request, as far as it is of use. */
const IDLE = 1 / 4;
const MOST_IDLE = 1_000;
/** Attempts hold up to twice as many sockets as there are slots: `Pools`. */
const SOCKETS_PER_SLOT = 2;
const LEAST_CONCURRENCY = 4;

/** What a process that may have so many files open can do at a time. */
export interface SocketBounds {
  /** Attempts. */
  readonly concurrency: number;
  /** Connections that wait for a next request. */
  readonly idle: number;
}

/** How many files this process may have open: Node raises its own limit to the hard one. Undefined but on Linux. */
export function readOpenFilesLimit(read = readProcessLimits): number | undefined {
  let text: string;
  try {
    text = read();
  } catch {
    return undefined;
  }
  const soft = Number(/^Max open files\s+(\d+)/m.exec(text)?.[1]);
  return Number.isInteger(soft) ? soft : undefined;
}

/** What is left of what was asked for. Beyond the limit connections would fail, also those to the broker. */
export function boundSockets(asked: number, openFiles: number | undefined): SocketBounds {
  if (openFiles === undefined) return { concurrency: asked, idle: MOST_IDLE };
  const sockets = Math.floor(openFiles * FOR_RECEIVERS);
  const idle = Math.max(1, Math.min(MOST_IDLE, Math.floor(sockets * IDLE)));
  const most = Math.max(LEAST_CONCURRENCY, Math.floor((sockets - idle) / SOCKETS_PER_SLOT));
  return { concurrency: Math.min(asked, most), idle };
}

const readProcessLimits = (): string => readFileSync('/proc/self/limits', 'utf8');
