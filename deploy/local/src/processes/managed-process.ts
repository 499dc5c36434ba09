import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { inTime } from '@form-webhooks/domain';
import { isAlive, startOf, type ProcessIdentity } from '../../prepare/process-identity.mjs';
import { LocalFailure, reasonOf } from '../failure.js';
import { readIfThere, readJsonIfThere, writePrivateFile } from '../state/files.js';
import { guardian } from './guardian.js';
import { lastLines } from '../provide/programs.js';

export interface ProcessPlan {
  readonly label: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Where it is remembered while it runs, so that a later start finds what a killed one left. */
  readonly recordFile: string;
  /** Its output goes to this file; without one it can be read from `stdout` and `stderr`. */
  readonly logFile?: string;
  readonly stopSignal: NodeJS.Signals;
  readonly graceMs: number;
  readonly uid?: number;
  readonly gid?: number;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * A process that is ended in every case: in order by `stop`, by the guardian if this process dies, by a later start
 * if even that failed. It has a session of its own, so that signals of the terminal reach only this process.
 */
export class ManagedProcess {
  /** Resolves when the process has ended, whoever ended it. */
  readonly ended: Promise<ProcessEnd>;
  private end: ProcessEnd | undefined;

  private constructor(
    private readonly plan: ProcessPlan,
    private readonly child: ChildProcess,
  ) {
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.end = { code, signal };
        guardian.forget(this.pid);
        removeRecord(plan.recordFile);
        resolve(this.end);
      });
    });
  }

  static async start(plan: ProcessPlan): Promise<ManagedProcess> {
    const child = spawn(plan.program, [...plan.args], {
      env: plan.env,
      cwd: plan.cwd,
      detached: true,
      stdio: plan.logFile === undefined ? ['ignore', 'pipe', 'pipe'] : outputTo(plan.logFile),
      ...(plan.uid === undefined ? {} : { uid: plan.uid, gid: plan.gid }),
    });
    if (child.pid === undefined) {
      const thrown = await new Promise<unknown>((resolve) => child.once('error', resolve));
      throw new LocalFailure(`${plan.label} can't be started: ${reasonOf(thrown)}.`);
    }
    child.on('error', () => undefined);
    const started = startOf(child.pid) ?? 'ended at once';
    const managed = new ManagedProcess(plan, child);
    guardian.watch({ pid: child.pid, started, label: plan.label, signal: plan.stopSignal, graceMs: plan.graceMs });
    try {
      writePrivateFile(plan.recordFile, JSON.stringify({ pid: child.pid, started }));
    } catch (thrown) {
      await managed.kill(); // as on a full disk: nobody would have it to stop
      throw thrown;
    }
    return managed;
  }

  get pid(): number {
    return this.child.pid!;
  }

  get isRunning(): boolean {
    return this.end === undefined;
  }

  get howItEnded(): ProcessEnd | undefined {
    return this.end;
  }

  get stdout(): NodeJS.ReadableStream | null {
    return this.child.stdout;
  }

  get stderr(): NodeJS.ReadableStream | null {
    return this.child.stderr;
  }

  /** Ends it in order, and by force if it takes too long. Does nothing if it has ended. */
  async stop(): Promise<ProcessEnd> {
    if (this.isRunning) this.child.kill(this.plan.stopSignal);
    return (await inTime(this.ended, this.plan.graceMs)) ? this.ended : this.kill();
  }

  /** Ends it as a crash would. */
  async kill(): Promise<ProcessEnd> {
    if (this.isRunning) this.child.kill('SIGKILL');
    return this.ended;
  }

  /** The last lines that it wrote to its log file. */
  lastOutput(count?: number): string[] {
    return this.plan.logFile === undefined ? [] : lastLines(readIfThere(this.plan.logFile) ?? '', count);
  }
}

/** One that stays, as on a disk that has become read-only, does no harm: a later start sees that its process is gone. */
function removeRecord(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    return;
  }
}

/** A log per start; the one before is kept, so that logs neither grow for ever nor vanish when they are needed. */
function outputTo(logFile: string): StdioOptions {
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.previous`);
  const descriptor = openSync(logFile, 'a', 0o600);
  // The child gets its own copy; this one is closed once it has been handed over.
  setImmediate(() => closeSync(descriptor));
  return ['ignore', descriptor, descriptor];
}

/**
 * Ends what a start that was killed left running. Only if the process provably is the one that was remembered: same
 * number and same time of start.
 */
export async function endLeftover(recordFile: string, signal: NodeJS.Signals, graceMs: number): Promise<boolean> {
  const record = readJsonIfThere<ProcessIdentity>(recordFile);
  rmSync(recordFile, { force: true });
  if (typeof record?.pid !== 'number' || typeof record.started !== 'string') return false;
  return endProcess({ pid: record.pid, started: record.started }, signal, graceMs);
}

/** Ends a process that isn't our child. True if there was one to end. */
export async function endProcess(one: ProcessIdentity, signal: NodeJS.Signals, graceMs: number): Promise<boolean> {
  if (!isAlive(one)) return false;
  const deadline = Date.now() + graceMs;
  process.kill(one.pid, signal);
  while (isAlive(one)) {
    if (Date.now() > deadline) process.kill(one.pid, 'SIGKILL');
    await wait(50);
  }
  return true;
}
