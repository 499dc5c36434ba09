import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { greet } from './amqp-greeting.js';
import { evaluateOn } from './erlang-call.js';
import { LocalFailure } from '../failure.js';
import { makePrivateFolder, readIfThere } from '../state/files.js';
import { choosePorts, isPortFree } from '../provide/free-port.js';
import type { Say } from '../provide/install-packages.js';
import { endLeftover, ManagedProcess } from '../processes/managed-process.js';
import { lastLines, run, type Finished } from '../provide/programs.js';
import { withoutPlugins } from './programs-without-plugins.js';
import { RabbitMqFiles, type RabbitMqIdentity, type RabbitMqMembership, type RabbitMqPorts } from './rabbitmq-files.js';
import { expressionForUsers, type RabbitMqUser } from './rabbitmq-users.js';
import { rabbitMqPrograms, type RabbitMqPrograms } from './rabbitmq-programs.js';

export interface RabbitMqOptions {
  /** Everything it keeps lies in here; the folder is made if need be. */
  readonly folder: string;
  readonly say?: Say;
  /**
   * Makes this node a member of the cluster of another one, which must have been started: same cookie, same user, and the
   * other's epmd, which therefore has to outlive this node.
   */
  readonly joins?: RabbitMqServer;
}

const START_TIMEOUT_MS = 120_000; // recovering many queues takes its time
const STOP_GRACE_MS = 60_000;
/** How long one command may take; and the one that adds some ninety virtual hosts, on a busy machine. */
const CTL_MS = 120_000;
const VIRTUAL_HOSTS_MS = 600_000;
const EPMD_TIMEOUT_MS = 10_000;
const EPMD_GRACE_MS = 5_000;
const STARTS = 5;

/**
 * A RabbitMQ node of our own: on the loopback only, behind a password, all of it in one folder, with an epmd (Erlang's
 * directory of nodes) of its own.
 */
export class RabbitMqServer {
  readonly dataDir: string;
  private readonly files: RabbitMqFiles;
  private readonly say: Say;
  private broker: ManagedProcess | undefined;
  private epmd: ManagedProcess | undefined;
  private running: { identity: RabbitMqIdentity; ports: RabbitMqPorts; programs: RabbitMqPrograms } | undefined;

  constructor(private readonly options: RabbitMqOptions) {
    this.files = new RabbitMqFiles(options.folder);
    this.dataDir = this.files.dataDir;
    this.say = options.say ?? (() => undefined);
  }

  /** `amqp://…` of its default virtual host. */
  get url(): string {
    const { identity, ports } = this.started();
    return `amqp://${identity.user}:${identity.password}@127.0.0.1:${ports.amqp}`;
  }

  /** As its cluster knows it. */
  get nodeName(): string {
    return this.started().identity.node;
  }

  /** A program that is `rabbitmqctl` of this node, whatever the environment that it is called in; for people. */
  get ctlFile(): string {
    return this.files.ctlFile;
  }

  get pid(): number | undefined {
    return this.broker?.isRunning ? this.broker.pid : undefined;
  }

  get epmdPid(): number | undefined {
    return this.epmd?.isRunning ? this.epmd.pid : undefined;
  }

  /** Resolves when the broker that was started last has ended. */
  get ended(): Promise<unknown> {
    return this.broker?.ended ?? Promise.resolve();
  }

  async start(): Promise<void> {
    if (this.broker?.isRunning) return;
    makePrivateFolder(this.files.folder);
    await endLeftover(this.files.recordFile, 'SIGTERM', STOP_GRACE_MS);
    if (!this.epmd?.isRunning) await endLeftover(this.files.epmdRecordFile, 'SIGTERM', EPMD_GRACE_MS);
    const programs = withoutPlugins(await rabbitMqPrograms(this.say), this.files.programsDir);
    if (this.options.joins) this.files.become(this.options.joins.membership);
    await this.launch(programs);
    if (this.options.joins && !this.files.hasJoined) await this.join(this.options.joins);
  }

  /** What a node needs to become a member of this one's cluster. */
  private get membership(): RabbitMqMembership {
    const { user, password } = this.started().identity;
    return { user, password, cookie: this.files.cookie };
  }

  /** Once: from then on the node finds its cluster again by itself. */
  private async join(other: RabbitMqServer): Promise<void> {
    await this.ctl('stop_app');
    await this.ctl('reset');
    await this.ctl('join_cluster', other.started().identity.node);
    await this.ctl('start_app');
    this.files.rememberJoined();
  }

  /** In order: queues are written and connections told. Then epmd, which would outlive it. */
  async stop(): Promise<void> {
    await this.broker?.stop();
    await this.epmd?.stop();
  }

  /**
   * As a crash would: kill -9 of the broker. Its epmd stays, for the next start or `stop`.
   *
   * A quorum queue that was declared less than about a second before is lost with what it confirmed, as RabbitMQ writes
   * its directory of such queues later [measured on 3.10.8]. `ctl('eval', '[dets:sync(T) || T <- dets:all()].')` writes it.
   */
  async kill(): Promise<void> {
    await this.broker?.kill();
  }

  /** For good, at once: whoever throws its data away need not wait for an orderly stop, which takes seconds. */
  async discard(): Promise<void> {
    await this.broker?.kill();
    await this.epmd?.stop();
  }

  /** As a disk that is lost: everything but its name, its ports and who may speak to it. It must not run. */
  wipe(): void {
    if (this.pid !== undefined) throw new Error('a node that runs can not be wiped');
    this.files.forgetData();
  }

  async restart(): Promise<void> {
    await this.broker?.stop();
    await this.start();
  }

  /** Adds virtual hosts that its user may do everything in, reached at `${url}/${name}`. */
  async addVirtualHosts(names: readonly string[]): Promise<void> {
    const hosts = names.map((name) => `<<"${name}">>`).join(', ');
    const { user } = this.started().identity;
    const all = Array(3).fill('<<".*">>').join(', ');
    await this.evaluate(
      `[begin ok = rabbit_vhost:add(Host, <<"${user}">>),
         ok = rabbit_auth_backend_internal:set_permissions(<<"${user}">>, Host, ${all}, <<"${user}">>)
       end || Host <- [${hosts}]].`,
      VIRTUAL_HOSTS_MS,
    );
  }

  /** Adds users to the default virtual host, or sets their passwords and rights anew; see `urlOf`. */
  async addUsers(users: readonly RabbitMqUser[]): Promise<void> {
    await this.evaluate(expressionForUsers(users, this.started().identity.user));
  }

  /** `amqp://…` of its default virtual host, as this user. */
  urlOf({ name, password }: Pick<RabbitMqUser, 'name' | 'password'>): string {
    return `amqp://${name}:${password}@127.0.0.1:${this.started().ports.amqp}`;
  }

  /**
   * Evaluates an Erlang expression, which ends with a full stop, on this node; nobody is told its value.
   * @throws LocalFailure if it fails, or takes longer than `withinMs`
   */
  async evaluate(expression: string, withinMs = CTL_MS): Promise<void> {
    const { identity, ports, programs } = this.started();
    if (programs.erlCall === undefined) return void (await this.ctlWithin(withinMs, ['eval', expression]));
    const env = this.files.environment(identity, ports);
    await evaluateOn({ program: programs.erlCall, node: identity.node, env, timeoutMs: withinMs }, expression);
  }

  /**
   * Runs `rabbitmqctl` on this node and returns what it prints.
   * @throws LocalFailure with its last lines if it fails
   */
  ctl(...args: string[]): Promise<string> {
    return this.ctlWithin(CTL_MS, args);
  }

  private async ctlWithin(timeoutMs: number, args: readonly string[]): Promise<string> {
    const { identity, ports, programs } = this.started();
    const env = this.files.environment(identity, ports);
    const done: Finished = await run(programs.ctl, args, { env, timeoutMs });
    if (done.code === 0) return done.stdout;
    const output = lastLines(`${done.stdout}\n${done.stderr}`);
    throw new LocalFailure(`rabbitmqctl ${args.join(' ')} failed (exit code ${done.code}).`, '', output);
  }

  /** Starts it until it runs: between the choice of a port and its use somebody else may take it. */
  private async launch(programs: RabbitMqPrograms): Promise<void> {
    for (let starts = 1; ; starts += 1) {
      const { ports: last, ...identity } = this.files.recall();
      const ports = await this.choosePorts(last);
      this.files.remember(identity, ports);
      this.files.write(identity, ports);
      this.files.writeCtl(programs.ctl, this.files.environment(identity, ports));
      this.running = { identity, ports, programs };
      await this.launchEpmd(programs, ports);
      this.broker = await this.spawnBroker(programs, this.files.environment(identity, ports));
      if (await this.becomesReady(this.broker, ports)) return;
      const output = this.lastOutput(this.broker);
      const taken = !(await isPortFree(ports.amqp)) || !(await isPortFree(ports.distribution));
      if (taken) await this.epmd?.stop(); // so that all three ports are chosen anew
      if (starts < STARTS && taken) continue;
      await this.epmd?.stop();
      throw new LocalFailure('RabbitMQ ended as soon as it was started.', `See ${this.files.logDir}.`, output);
    }
  }

  private async choosePorts(last: RabbitMqPorts | undefined): Promise<RabbitMqPorts> {
    const { joins } = this.options;
    if (joins) {
      return { ...(await choosePorts(['amqp', 'distribution'], { ...last })), epmd: joins.started().ports.epmd };
    }
    return this.epmd?.isRunning && last ? last : choosePorts(['amqp', 'distribution', 'epmd'], { ...last });
  }

  /** Started by ourselves and not by the broker, as one that turns into a daemon would have no known process id. */
  private async launchEpmd(programs: RabbitMqPrograms, ports: RabbitMqPorts): Promise<void> {
    if (this.epmd?.isRunning || this.options.joins) return;
    const epmd = await ManagedProcess.start({
      label: 'epmd',
      program: programs.epmd,
      args: ['-port', String(ports.epmd), '-address', '127.0.0.1'],
      env: { PATH: process.env['PATH'] },
      cwd: '/',
      recordFile: this.files.epmdRecordFile,
      logFile: join(this.files.folder, 'epmd.log'),
      stopSignal: 'SIGTERM',
      graceMs: EPMD_GRACE_MS,
    });
    this.epmd = epmd;
    const deadline = Date.now() + EPMD_TIMEOUT_MS;
    while (!(await accepts(ports.epmd))) {
      if (!epmd.isRunning || Date.now() > deadline) {
        await epmd.stop();
        throw new LocalFailure("Erlang's epmd did not start.", `Its port is ${ports.epmd}.`, epmd.lastOutput());
      }
      await wait(20);
    }
  }

  private spawnBroker(programs: RabbitMqPrograms, env: NodeJS.ProcessEnv): Promise<ManagedProcess> {
    return ManagedProcess.start({
      label: 'RabbitMQ',
      program: programs.server,
      args: [],
      env,
      cwd: this.files.folder,
      recordFile: this.files.recordFile,
      logFile: join(this.files.folder, 'server.log'),
      stopSignal: 'SIGTERM',
      graceMs: STOP_GRACE_MS,
    });
  }

  /** False if it ended instead. */
  private async becomesReady(broker: ManagedProcess, ports: RabbitMqPorts): Promise<boolean> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (broker.isRunning) {
      const greeting = await greet(ports.amqp);
      if (greeting && broker.isRunning) return this.refuseOld(greeting.version);
      if (Date.now() > deadline) {
        const output = this.lastOutput(broker);
        await this.stop();
        throw new LocalFailure(
          `RabbitMQ was not ready within ${START_TIMEOUT_MS / 1_000} s.`,
          `See ${this.files.logDir}.`,
          output,
        );
      }
      await wait(50);
    }
    return false;
  }

  /** What the product relies on (quorum queues that dead-letter at least once) came with 3.10. */
  private async refuseOld(version: string | undefined): Promise<true> {
    const [major, minor] = (version ?? '').split('.').map(Number);
    const isOld = major !== undefined && minor !== undefined && (major < 3 || (major === 3 && minor < 10));
    if (!isOld) return true;
    await this.stop();
    throw new LocalFailure(
      `RabbitMQ ${version} is installed; 3.10 or later is needed.`,
      'Install a newer one, or set RABBITMQ_URL to a server of your own.',
    );
  }

  /** What it printed, and the end of its log: which of the two says why depends on how far it came. */
  private lastOutput(broker: ManagedProcess): string[] {
    const log = readIfThere(join(this.files.logDir, 'rabbitmq.log')) ?? '';
    return [...broker.lastOutput(10), ...lastLines(log, 10)];
  }

  private started() {
    if (!this.running) throw new Error('the RabbitMQ server was not started yet');
    return this.running;
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.once('connect', () => socket.destroy());
  });
}
