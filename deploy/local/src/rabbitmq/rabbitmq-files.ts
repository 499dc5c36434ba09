import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LocalFailure } from '../failure.js';
import { entriesOf } from '../provide/programs.js';
import { makePrivateFolder, readJsonIfThere, writePrivateFile } from '../state/files.js';

export interface RabbitMqPorts {
  readonly amqp: number;
  readonly distribution: number;
  readonly epmd: number;
}

/** What stays the same from start to start. The node's name is part of its data's path. */
export interface RabbitMqIdentity {
  readonly node: string;
  readonly user: string;
  readonly password: string;
}

/** What the members of a cluster share. */
export interface RabbitMqMembership {
  readonly user: string;
  readonly password: string;
  readonly cookie: string;
}

export interface RabbitMqMemory extends RabbitMqIdentity {
  readonly ports?: RabbitMqPorts;
}

export class RabbitMqFiles {
  readonly dataDir: string;
  readonly logDir: string;
  private readonly home: string;

  constructor(readonly folder: string) {
    this.dataDir = join(folder, 'data');
    this.logDir = join(folder, 'log');
    this.home = join(folder, 'home');
  }

  get programsDir(): string {
    return join(this.folder, 'programs');
  }

  get memoryFile(): string {
    return join(this.folder, 'connection.json');
  }

  get recordFile(): string {
    return join(this.folder, 'process.json');
  }

  get epmdRecordFile(): string {
    return join(this.folder, 'epmd-process.json');
  }

  /**
   * What the last start remembered; a fresh identity if there was none.
   * @throws LocalFailure if there are data whose node isn't known any more: another one would not see their messages
   */
  recall(): RabbitMqMemory {
    const memory = readJsonIfThere<RabbitMqMemory>(this.memoryFile);
    const { node, user, password, ports } = memory ?? {};
    if (node !== undefined && user !== undefined && password !== undefined) {
      return { node, user, password, ...(ports === undefined ? {} : { ports }) };
    }
    if (entriesOf(this.dataDir).length > 0) {
      throw new LocalFailure(
        `There are RabbitMQ data in ${this.dataDir}, but the file with their node's name, ${this.memoryFile}, ` +
          'is gone or damaged.',
        `Bring it back, or remove ${this.folder} to start with an empty broker: ` +
          'what still waits in its queues is lost.',
      );
    }
    const fresh = {
      // `localhost` needs no name server, and stays the same when the machine is renamed. The rest sets it apart from
      // other private nodes on this machine.
      node: `form-webhooks-${randomBytes(4).toString('hex')}@localhost`,
      user: 'form_webhooks',
      password: randomBytes(24).toString('hex'),
    };
    writePrivateFile(this.memoryFile, JSON.stringify(fresh));
    return fresh;
  }

  /** Takes on what a cluster's members share, before the first start. */
  become({ user, password, cookie }: RabbitMqMembership): void {
    makePrivateFolder(this.home);
    writePrivateFile(this.memoryFile, JSON.stringify({ ...this.recall(), user, password }));
    if (!existsSync(this.cookieFile)) this.writeCookie(cookie);
  }

  get cookie(): string {
    return readFileSync(this.cookieFile, 'utf8');
  }

  get hasJoined(): boolean {
    return existsSync(this.path('joined'));
  }

  rememberJoined(): void {
    writePrivateFile(this.path('joined'), '');
  }

  /** What the broker keeps, and that it has joined a cluster. */
  forgetData(): void {
    rmSync(this.dataDir, { recursive: true, force: true });
    rmSync(this.path('joined'), { force: true });
  }

  remember(identity: RabbitMqIdentity, ports: RabbitMqPorts): void {
    writePrivateFile(this.memoryFile, JSON.stringify({ ...identity, ports }));
  }

  /** Everything the broker reads, written anew for each start except for the cookie, which Erlang's tools share. */
  write(identity: RabbitMqIdentity, ports: RabbitMqPorts): void {
    for (const folder of [this.folder, this.dataDir, this.logDir, this.home]) makePrivateFolder(folder);
    if (!existsSync(this.cookieFile)) this.writeCookie(randomBytes(24).toString('hex'));
    writePrivateFile(this.path('rabbitmq.conf'), configuration(identity, ports));
    writePrivateFile(this.path('advanced.config'), ADVANCED_CONFIGURATION);
    writePrivateFile(this.path('enabled_plugins'), '[].\n');
    writePrivateFile(this.path('rabbitmq-env.conf'), '# empty, so that the machine-wide one is not read\n');
    writePrivateFile(this.path('inetrc'), '{host, {127,0,0,1}, ["localhost"]}.\n{lookup, [file, native]}.\n');
  }

  /** `rabbitmqctl` of this node for whoever looks at it by hand. */
  get ctlFile(): string {
    return this.path('rabbitmqctl');
  }

  /**
   * Writes that file anew: the installed program can be another one with each start, and the ports too.
   * @param program the `rabbitmqctl` that it calls
   */
  writeCtl(program: string, environment: NodeJS.ProcessEnv): void {
    const variables = Object.entries(environment).map(([name, value]) => quoted(`${name}=${value}`));
    const call = ['env', '-i', ...variables, quoted(program), '"$@"'].join(' ');
    writePrivateFile(this.ctlFile, `#!/bin/sh\nexec ${call}\n`);
    chmodSync(this.ctlFile, 0o700);
  }

  /** The environment of the broker and its tools: made from nothing, so that no variable of another node leaks in. */
  environment(identity: RabbitMqIdentity, ports: RabbitMqPorts): NodeJS.ProcessEnv {
    const loopbackOnly = '-kernel inet_dist_use_interface {127,0,0,1}';
    // Erlang's threads spin before they sleep, which takes CPU time from all that shares the machine with the broker; those
    // that write files did so for a fifth of its time (docs/decisions/0052).
    const sleepAtOnce = '+sbwt none +sbwtdcpu none +sbwtdio none';
    return {
      PATH: process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin',
      LANG: 'C.UTF-8',
      HOME: this.home,
      ERL_INETRC: this.path('inetrc'),
      ERL_CRASH_DUMP: join(this.logDir, 'erl_crash.dump'),
      ERL_EPMD_ADDRESS: '127.0.0.1',
      ERL_EPMD_PORT: String(ports.epmd),
      RABBITMQ_NODENAME: identity.node,
      RABBITMQ_DIST_PORT: String(ports.distribution),
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: `${sleepAtOnce} ${loopbackOnly}`,
      RABBITMQ_CTL_ERL_ARGS: loopbackOnly,
      RABBITMQ_MNESIA_BASE: this.dataDir,
      RABBITMQ_LOG_BASE: this.logDir,
      RABBITMQ_PID_FILE: this.path('rabbitmq.pid'),
      RABBITMQ_FEATURE_FLAGS_FILE: this.path('feature_flags'),
      RABBITMQ_ENABLED_PLUGINS_FILE: this.path('enabled_plugins'),
      RABBITMQ_CONFIG_FILE: this.path('rabbitmq.conf'),
      RABBITMQ_ADVANCED_CONFIG_FILE: this.path('advanced.config'),
      RABBITMQ_CONF_ENV_FILE: this.path('rabbitmq-env.conf'),
      // Makes the start script become the broker instead of waiting for it, so that there is one process to signal.
      RUNNING_UNDER_SYSTEMD: 'true',
    };
  }

  private get cookieFile(): string {
    return join(this.home, '.erlang.cookie');
  }

  private writeCookie(text: string): void {
    writePrivateFile(this.cookieFile, text);
    chmodSync(this.cookieFile, 0o400);
  }

  private path(name: string): string {
    return join(this.folder, name);
  }
}

/** One word for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * At a start a quorum queue can be up before the one that it dead-letters into. What is due then is tried again after
 * this, which is 180 s by default and which only this file can set.
 */
const ADVANCED_CONFIGURATION = '[{rabbit, [{dead_letter_worker_publisher_confirm_timeout, 5000}]}].\n';

const configuration = (identity: RabbitMqIdentity, ports: RabbitMqPorts): string =>
  [
    `listeners.tcp.1 = 127.0.0.1:${ports.amqp}`,
    // Made with the first start; there is no guest.
    `default_user = ${identity.user}`,
    `default_pass = ${identity.password}`,
    // Only in a cluster: the side with fewer nodes stops serving while it doesn't see the others, and comes back after.
    'cluster_partition_handling = pause_minority',
    'max_message_size = 4194304',
    'vm_memory_high_watermark.relative = 0.4',
    // Below it nothing is accepted any more; enough for the broker to stop in order, little enough for a small disk.
    'disk_free_limit.absolute = 200MB',
    'log.file = rabbitmq.log',
    'log.file.level = info',
    'log.file.rotation.size = 10485760',
    'log.file.rotation.count = 2',
    '',
  ].join('\n');
