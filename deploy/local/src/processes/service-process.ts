import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { dirname, join } from 'node:path';
import { LocalFailure } from '../failure.js';
import { ManagedProcess, endLeftover, type ProcessEnd } from './managed-process.js';
import { renderLogLine } from './log-lines.js';

export interface ServiceOptions {
  /** Such as `ingest`: each of its lines begins with it. */
  readonly name: string;
  /** The compiled file that node runs. */
  readonly entry: string;
  /** The flags of node: `NODE_FLAGS` of the service. */
  readonly flags: readonly string[];
  /** The whole environment, `HEALTH_PORT` included. */
  readonly env: NodeJS.ProcessEnv;
  /** Where it is remembered while it runs. Default: beside its entry. */
  readonly recordFolder?: string;
  /** Gets every line, ready to be printed. Default: nobody. */
  readonly print?: (line: string) => void;
  /** Gets the service once its process runs, before it is ready: to be able to stop it at any time. */
  readonly onProcess?: (service: ServiceProcess) => void;
  /** How long it may take to become ready, and to stop. */
  readonly readyMs?: number;
  readonly stopMs?: number;
}

/** Seconds on a free machine; on one with many times the work that it has cores for, minutes. */
const READY_MS = 180_000;
/** Longer than the services wait for what they have in flight. */
const STOP_MS = 60_000;
const REMEMBERED_LINES = 40;
const SHOWN_LINES = 15;

/** One of the product's services as a process. */
export interface ServiceProcess {
  readonly name: string;
  readonly pid: number;
  readonly isRunning: boolean;
  /** Resolves when it has ended, whoever ended it. */
  readonly ended: Promise<ProcessEnd>;
  /** SIGTERM, and after a while SIGKILL. */
  stop(): Promise<ProcessEnd>;
  /** As a crash would: kill -9. */
  kill(): Promise<ProcessEnd>;
  /** The last lines that it wrote. */
  lastLines(): string[];
}

/**
 * How glibc gives memory. By default it maps a body of a MiB once, and from then on takes the next ones from its heap,
 * where what is freed stays: the memory of a process grows with the bodies that it has ever had at a time, and keeps it.
 */
export const MALLOC_ENVIRONMENT: NodeJS.ProcessEnv = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '2' };

/**
 * Starts a service and waits until it is ready.
 * @throws LocalFailure with its last lines if it ends, or isn't ready in time
 */
export async function startService(options: ServiceOptions): Promise<ServiceProcess> {
  const { name, entry, env } = options;
  const recordFile = join(options.recordFolder ?? dirname(entry), `${name}.process.json`);
  await endLeftover(recordFile, 'SIGTERM', options.stopMs ?? STOP_MS);
  const managed = await ManagedProcess.start({
    label: name,
    program: process.execPath,
    args: [...options.flags, entry],
    env: { ...MALLOC_ENVIRONMENT, ...env },
    cwd: dirname(entry),
    recordFile,
    stopSignal: 'SIGTERM',
    graceMs: options.stopMs ?? STOP_MS,
  });
  const lines = readLines(managed, name, options.print);
  const service = asService(name, managed, lines);
  options.onProcess?.(service);
  const url = `http://127.0.0.1:${env['HEALTH_PORT'] ?? '9090'}/health/ready`;
  await untilReady(service, url, options.readyMs ?? READY_MS, name);
  return service;
}

function asService(name: string, managed: ManagedProcess, lines: readonly string[]): ServiceProcess {
  return {
    name,
    pid: managed.pid,
    get isRunning() {
      return managed.isRunning;
    },
    ended: managed.ended,
    stop: () => managed.stop(),
    kill: () => managed.kill(),
    lastLines: () => lines.slice(-SHOWN_LINES),
  };
}

/** Passes the output on line by line and remembers the last ones. */
function readLines(managed: ManagedProcess, name: string, print?: (line: string) => void): readonly string[] {
  const lines: string[] = [];
  for (const stream of [managed.stdout, managed.stderr]) {
    if (!stream) continue;
    stream.on('error', () => undefined);
    createInterface({ input: stream }).on('line', (line) => {
      const text = renderLogLine(line);
      lines.push(text);
      if (lines.length > REMEMBERED_LINES) lines.shift();
      print?.(`[${name}] ${text}`);
    });
  }
  return lines;
}

async function untilReady(service: ServiceProcess, url: string, withinMs: number, app: string): Promise<void> {
  const deadline = Date.now() + withinMs;
  let last = 'it did not answer';
  while (service.isRunning && Date.now() < deadline) {
    const answer = await askReadiness(url);
    if (answer === 'ready') return;
    last = answer;
    await wait(100);
  }
  const ended = service.isRunning ? undefined : await service.ended;
  await service.stop();
  if (ended) throw new LocalFailure(`The service ${service.name} ended ${howOf(ended)}.`, '', service.lastLines());
  throw new LocalFailure(
    `The service ${service.name} was not ready within ${withinMs / 1_000} s: ${last}.`,
    `See its last lines below; its code is in apps/${app}.`,
    service.lastLines(),
  );
}

async function askReadiness(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    const text = await response.text();
    return response.status === 200 ? 'ready' : `GET ${url} says ${response.status} ${text.slice(0, 300)}`;
  } catch {
    return `GET ${url} is not answered`;
  }
}

/** "with exit code 1" or "by SIGKILL". */
export const howOf = (end: ProcessEnd): string =>
  end.signal ? `by ${end.signal}` : `with exit code ${end.code ?? 'unknown'}`;
