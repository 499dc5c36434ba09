import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { entryOf, MALLOC_ENVIRONMENT, ManagedProcess, NODE_FLAGS, type ProcessEnd } from '@form-webhooks/local';
import { HEAP_MIB } from '../settings.js';
import type { ServerName, ServiceProxies } from './service-proxies.js';

/** This checkout: what the services run from unless the run says otherwise. */
export const THIS_BUILD = join(import.meta.dirname, '../../../..');
const CLOCK_PRELOAD = join(import.meta.dirname, '../../dist/faults/clock-preload.js');
const STOP_GRACE_MS = 60_000;
const RESTART_PAUSE_MS = 500;
const LOOK_MS = 100;

export type AppName = 'config' | 'dispatcher' | 'ingest';

/** A release of before the bundles starts from what they are made of. */
function entryIn(build: string, app: AppName): string {
  const bundled = entryOf(build, app);
  return existsSync(bundled) ? bundled : join(build, 'apps', app, 'dist', 'main.js');
}

export interface ServicePlan {
  readonly app: AppName;
  /** Such as `dispatcher-2`. */
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly healthPort: number;
  /** The checkout that its first start takes, if not this one. */
  readonly build?: string | undefined;
  /** Its ways to the servers, if they can be frozen. */
  readonly proxies?: ServiceProxies | undefined;
  /** Its logs and what is remembered of it. */
  readonly folder: string;
}

/** One process of the product under the suite's hands: a fault ends it, and like any platform the suite restarts it. */
export class Service {
  private process: ManagedProcess | undefined;
  private wanted = false;
  private starts = 0;
  private build: string;
  private readonly changedEnv: Record<string, string> = {};
  private wasReady = false;
  /** Ends that no fault asked for, after it had been ready: a crash of its own. */
  readonly crashes: string[] = [];

  constructor(readonly plan: ServicePlan) {
    this.build = plan.build ?? THIS_BUILD;
  }

  get name(): string {
    return this.plan.name;
  }

  get pid(): number | undefined {
    return this.process?.isRunning ? this.process.pid : undefined;
  }

  /** Starts it; from now on it is started again whenever it ends by itself. */
  async start(): Promise<void> {
    this.wanted = true;
    await this.spawn();
  }

  /** Kill -9. It stays down until `start`. */
  async kill(): Promise<void> {
    this.wanted = false;
    await this.process?.kill();
  }

  /** SIGTERM. It stays down until `start`. */
  async terminate(): Promise<ProcessEnd> {
    this.wanted = false;
    const end = await this.process!.stop();
    if (end.code !== 0) this.crashes.push(`${this.name} ended on SIGTERM with ${end.signal ?? end.code}`);
    return end;
  }

  /** As a machine that stalls: nothing in it goes on, its connections stay. */
  freeze(): void {
    this.signal('SIGSTOP');
  }

  thaw(): void {
    this.signal('SIGCONT');
  }

  /** Sets its clock this far from the right time. */
  stepClock(offsetMs: number): void {
    writeFileSync(this.clockFile, String(offsetMs));
    this.signal('SIGUSR2');
  }

  /** The checkout that it runs from, from its next start on; it has to be built. */
  useBuild(folder: string): void {
    this.build = folder;
  }

  /** What its next start gets. */
  get env(): Readonly<Record<string, string>> {
    return { ...this.plan.env, ...this.changedEnv };
  }

  /** A variable of its environment, from its next start on. */
  set(name: string, value: string): void {
    this.changedEnv[name] = value;
  }

  /** Nothing passes any more on its connections that stand, and nobody is told. New ones pass. */
  freezeConnections(server: ServerName): void {
    if (!this.plan.proxies) throw new Error('this run has no ways that could be frozen');
    this.plan.proxies.freeze(server);
  }

  async isReady(): Promise<boolean> {
    const isReady = (await this.readiness()) === 200;
    this.wasReady ||= isReady;
    return isReady;
  }

  /**
   * Resolves once it says itself that it is not ready.
   *
   * @param orElse whether it has shown in another way that it noticed
   * @throws Error if it doesn't in time
   */
  async untilNotReady(withinMs: number, orElse = (): Promise<boolean> => Promise.resolve(false)): Promise<void> {
    const deadline = Date.now() + withinMs;
    while ((await this.readiness()) !== 503 && !(await orElse())) {
      if (Date.now() > deadline) throw new Error(`${this.name} said for ${withinMs / 1_000} s that it is ready`);
      await wait(LOOK_MS);
    }
  }

  /** A metric's values of all labels together; 0 while it does not answer. */
  async metric(name: string): Promise<number> {
    const url = `http://127.0.0.1:${this.plan.healthPort}/metrics`;
    const text = await fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.text(),
      () => '',
    );
    const values = text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
    return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
  }

  /** What readiness answers with; undefined without an answer. */
  private async readiness(): Promise<number | undefined> {
    if (this.pid === undefined) return undefined;
    try {
      const url = `http://127.0.0.1:${this.plan.healthPort}/health/ready`;
      const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return undefined;
    }
  }

  private get clockFile(): string {
    return join(this.plan.folder, `${this.name}.clock`);
  }

  private signal(signal: NodeJS.Signals): void {
    if (this.pid !== undefined) process.kill(this.pid, signal);
  }

  private async spawn(): Promise<void> {
    this.starts += 1;
    this.wasReady = false;
    const { app, name, folder } = this.plan;
    const started = await ManagedProcess.start({
      label: name,
      program: process.execPath,
      args: [
        ...NODE_FLAGS[app],
        `--max-old-space-size=${HEAP_MIB}`,
        '--import',
        CLOCK_PRELOAD,
        entryIn(this.build, app),
      ],
      env: { PATH: process.env['PATH'], ...MALLOC_ENVIRONMENT, SURVIVE_CLOCK_FILE: this.clockFile, ...this.env },
      cwd: folder,
      recordFile: join(folder, `${name}.process.json`),
      logFile: join(folder, `${name}.${String(this.starts).padStart(3, '0')}.log`),
      stopSignal: 'SIGTERM',
      graceMs: STOP_GRACE_MS,
    });
    this.process = started;
    void started.ended.then((end) => this.ended(started, end));
  }

  private async ended(process: ManagedProcess, { code, signal }: ProcessEnd): Promise<void> {
    if (!this.wanted || process !== this.process) return;
    // One that can't start while its database is away gives up and is started again; one that was ready must not end.
    if (this.wasReady) {
      const said = process.lastOutput(5).join('\n');
      this.crashes.push(`${this.name} ended by itself with ${signal ?? code}:\n${said}`);
    }
    await wait(RESTART_PAUSE_MS);
    if (this.wanted && process === this.process) await this.spawn();
  }
}
