import { randomBytes } from 'node:crypto';
import { readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startOf } from '../../prepare/process-identity.mjs';
import { accountFor, idsOf, type Account } from '../provide/account.js';
import { LocalFailure } from '../failure.js';
import { makePrivateFolder, readIfThere, readJsonIfThere, writePrivateFile } from '../state/files.js';
import { chooseFreePort, isPortFree } from '../provide/free-port.js';
import type { Say } from '../provide/install-packages.js';
import { endLeftover, endProcess, ManagedProcess } from '../processes/managed-process.js';
import {
  addRuntimeRole,
  clusterVersion,
  DATABASE,
  makeCluster,
  postgresEnvironment,
  ROLE,
  RUNTIME_ROLE,
  type RolePasswords,
} from './postgres-cluster.js';
import { postgresPrograms, type PostgresPrograms } from './postgres-programs.js';

export interface PostgresOptions {
  /** Everything it keeps lies in here; the folder is made if need be. */
  readonly folder: string;
  /** False: a power cut may damage the data (a killed process never does). For tests, which throw them away. */
  readonly durable?: boolean;
  readonly say?: Say;
}

/** Remembered beside the data. */
interface Connection extends RolePasswords {
  readonly port: number;
}

const START_TIMEOUT_MS = 120_000; // a crash recovery after much writing takes its time
const STOP_GRACE_MS = 30_000;
const STARTS = 10;

/** A PostgreSQL server of our own: on the loopback only, behind a password, all of it in one folder. */
export class PostgresServer {
  readonly dataDir: string;
  private readonly connectionFile: string;
  private readonly recordFile: string;
  private readonly logFile: string;
  private readonly say: Say;
  private process: ManagedProcess | undefined;
  private connection: Connection | undefined;

  constructor(private readonly options: PostgresOptions) {
    this.dataDir = join(options.folder, 'data');
    this.connectionFile = join(options.folder, 'connection.json');
    this.recordFile = join(options.folder, 'process.json');
    this.logFile = join(options.folder, 'server.log');
    this.say = options.say ?? (() => undefined);
  }

  /** `postgresql://…` of its database. The role in it owns what it makes there, and may create further databases. */
  get url(): string {
    return this.urlOf(ROLE, ({ password }) => password);
  }

  /** The same as the role that config runs as, which has only the rights that it was given. */
  get runtimeUrl(): string {
    return this.urlOf(RUNTIME_ROLE, ({ runtimePassword }) => runtimePassword);
  }

  /** Remembers the password that the role of `url` was given with `ALTER ROLE`, for `url` and later starts. */
  ownerPasswordChanged(password: string): void {
    if (!this.connection) throw new Error('the PostgreSQL server was not started yet');
    this.connection = { ...this.connection, password };
    writePrivateFile(this.connectionFile, JSON.stringify(this.connection));
  }

  get pid(): number | undefined {
    return this.process?.isRunning ? this.process.pid : undefined;
  }

  /** Resolves when the process that was started last has ended. */
  get ended(): Promise<unknown> {
    return this.process?.ended ?? Promise.resolve();
  }

  async start(): Promise<void> {
    if (this.process?.isRunning) return;
    makePrivateFolder(this.options.folder);
    await endLeftover(this.recordFile, 'SIGINT', STOP_GRACE_MS);
    await this.endUnrecorded();
    const programs = await postgresPrograms(this.say, clusterVersion(this.dataDir));
    const account = await accountFor(this.options.folder, this.dataDir);
    const passwords = await this.ensureData(programs, account);
    await this.launch(programs, account, passwords);
  }

  /** "Fast": running transactions are rolled back, the data are written. */
  async stop(): Promise<void> {
    await this.process?.stop();
  }

  /** As a crash would: kill -9. */
  async kill(): Promise<void> {
    await this.process?.kill();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  private urlOf(role: string, passwordOf: (passwords: RolePasswords) => string): string {
    if (!this.connection) throw new Error('the PostgreSQL server was not started yet');
    return `postgresql://${role}:${passwordOf(this.connection)}@127.0.0.1:${this.connection.port}/${DATABASE}`;
  }

  /** The data, made if there are none. Returns the roles' passwords. */
  private async ensureData(programs: PostgresPrograms, account: Account): Promise<RolePasswords> {
    const { password, runtimePassword, port } = readJsonIfThere<Partial<Connection>>(this.connectionFile) ?? {};
    const version = clusterVersion(this.dataDir);
    if (version !== undefined && password !== undefined) {
      if (runtimePassword !== undefined) return { password, runtimePassword };
      const fresh = { password, runtimePassword: aPassword() };
      await addRuntimeRole(this.dataDir, fresh.runtimePassword, programs, account);
      writePrivateFile(this.connectionFile, JSON.stringify({ ...fresh, port }));
      return fresh;
    }
    if (version !== undefined) {
      throw new LocalFailure(
        `There are PostgreSQL data in ${this.dataDir}, but the file with their password, ${this.connectionFile}, ` +
          'is gone or damaged.',
        `Bring it back, or remove ${this.options.folder} to start with an empty database.`,
      );
    }
    const fresh = { password: aPassword(), runtimePassword: aPassword() };
    writePrivateFile(this.connectionFile, JSON.stringify(fresh));
    await makeCluster(this.dataDir, fresh, programs, account);
    return fresh;
  }

  /** Starts it until it runs: between the choice of a port and its use somebody else may take it. */
  private async launch(programs: PostgresPrograms, account: Account, passwords: RolePasswords): Promise<void> {
    for (let starts = 1; ; starts += 1) {
      const port = await chooseFreePort(readJsonIfThere<Connection>(this.connectionFile)?.port);
      this.connection = { port, ...passwords };
      writePrivateFile(this.connectionFile, JSON.stringify(this.connection));
      this.process = await this.spawn(programs, account, port);
      if (await this.becomesReady(this.process)) return;
      const output = this.process.lastOutput();
      if (starts >= STARTS || !(await mayStartLater(output, port))) throw this.failure(output, programs);
      await wait(300);
    }
  }

  private spawn(programs: PostgresPrograms, account: Account, port: number): Promise<ManagedProcess> {
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: '',
      max_connections: 300,
      logging_collector: 'off',
      log_destination: 'stderr',
      ssl: 'off',
      ...(this.options.durable === false ? { fsync: 'off', full_page_writes: 'off' } : {}),
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const [program, ...args] = [...account.prefix, programs.postgres, '-D', this.dataDir, ...flags];
    return ManagedProcess.start({
      label: 'PostgreSQL',
      program: program!,
      args,
      env: postgresEnvironment(),
      cwd: '/',
      recordFile: this.recordFile,
      logFile: this.logFile,
      stopSignal: 'SIGINT',
      graceMs: STOP_GRACE_MS,
      ...idsOf(account),
    });
  }

  /** PostgreSQL writes into its pid file when it takes connections. False if it ended instead. */
  private async becomesReady(process: ManagedProcess): Promise<boolean> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (process.isRunning) {
      const lines = this.pidFileLines();
      if (lines[0] === String(process.pid) && lines[7]?.trim() === 'ready') return true;
      if (Date.now() > deadline) {
        await process.stop();
        throw new LocalFailure(
          `PostgreSQL was not ready within ${START_TIMEOUT_MS / 1_000} s.`,
          `See ${this.logFile}.`,
          process.lastOutput(),
        );
      }
      await wait(20);
    }
    return false;
  }

  /**
   * Ends a server on these data that nobody remembered (its starter was killed in the wrong instant), and removes a pid
   * file that a crash left: its number may belong to any process by now, which PostgreSQL would take for a server.
   */
  private async endUnrecorded(): Promise<void> {
    const pid = Number(this.pidFileLines()[0] ?? NaN);
    if (!Number.isSafeInteger(pid) || pid < 1) return;
    const started = startOf(pid);
    if (started !== undefined && this.worksInData(pid)) {
      await endProcess({ pid, started }, 'SIGINT', STOP_GRACE_MS);
    } else if (started !== undefined && process.platform !== 'linux') {
      return; // whose process it is can't be told here: PostgreSQL itself must judge
    }
    rmSync(join(this.dataDir, 'postmaster.pid'), { force: true });
  }

  /** A server's working folder is its data folder. */
  private worksInData(pid: number): boolean {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(this.dataDir);
    } catch {
      return false;
    }
  }

  private pidFileLines(): string[] {
    return (readIfThere(join(this.dataDir, 'postmaster.pid')) ?? '').split('\n');
  }

  private failure(output: readonly string[], programs: PostgresPrograms): LocalFailure {
    const version = clusterVersion(this.dataDir);
    const otherVersion = output.some((line) => line.includes('incompatible with server'));
    const advice = otherVersion
      ? `The data were made by version ${version}: install that version beside ${programs.postgres}, or remove ${this.options.folder} to start with an empty database.`
      : `See ${this.logFile}.`;
    return new LocalFailure('PostgreSQL ended as soon as it was started.', advice, output);
  }
}

const aPassword = (): string => randomBytes(24).toString('hex');

/** Reasons that pass by themselves: the port was taken a moment ago, or a killed server's children are still ending. */
async function mayStartLater(output: readonly string[], port: number): Promise<boolean> {
  const text = output.join('\n');
  return text.includes('pre-existing shared memory block') || text.includes('in use') || !(await isPortFree(port));
}
