import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Broker, TO_LOG, toQueue } from '@form-webhooks/broker';
import { chooseFreePort, PrometheusServer, RabbitMqServer, temporaryFolder } from '@form-webhooks/local';
import { logBatchMessage, type LogRecord } from '@form-webhooks/messages';
import pg from 'pg';
import { testLogger } from '../support/broker.js';
import { databaseWithDays } from '../support/config/config-database.js';
import { CuttableProxy } from '../support/network/cuttable-proxy.js';
import { Receiver } from '../support/receiver.js';
import { Stack } from '../support/stack.js';
import { AlertWatch } from './alert-watch.js';

const ROOT = join(import.meta.dirname, '../..');
const CLOCK_PRELOAD = join(ROOT, 'test/survive/dist/faults/clock-preload.js');

/** The rules as an installation has them. */
export const RULES = readFileSync(join(ROOT, 'deploy/observability/rules.yaml'), 'utf8');

/** Small, so that faults are reached with little: four slots, four connections, seconds instead of minutes. */
const ENVIRONMENT = {
  RETRY_SCHEDULE: '2s,2s',
  ATTEMPT_TIMEOUT: '3s',
  STOP_TIMEOUT: '3s',
  RECONCILE_GRACE: '18s',
  RECONCILE_INTERVAL: '1s',
  CONFIRM_TIMEOUT: '2s',
  CACHE_MAX_AGE: '100ms',
  DATABASE_POOL_SIZE: '4',
  DISPATCHER_CONCURRENCY: '4',
  ENDPOINT_MAX_IN_FLIGHT: '4',
  // Every retry waits in a shared queue.
  RETRY_QUEUES_MAX: '0',
  // An erasure that was interrupted stays so.
  ERASURE_INTERVAL: '1h',
  // The address of this test may go on when it has guessed keys.
  FAILED_AUTH_PER_MINUTE: '10000',
  FAILED_AUTHENTICATIONS_PER_MINUTE: '10000',
};

/** A stack of one process of each service, with what faults are made with. */
export class AlertStage {
  private readonly folder = temporaryFolder('form-webhooks-alerts-');
  private readonly clockFile = join(this.folder.path, 'clock');
  private readonly cleanUps: (() => unknown)[] = [() => this.folder.remove()];
  readonly rabbitmq = new RabbitMqServer({ folder: join(this.folder.path, 'rabbitmq') });
  stack!: Stack;
  receiver!: Receiver;
  watch!: AlertWatch;
  /** The ways that the services take to the broker and to the database. */
  brokerWay!: CuttableProxy;
  databaseWay!: CuttableProxy;
  /** A connection to the broker besides that way. */
  broker!: Broker;
  private databaseUrl = '';
  private posted = 0;

  /** @param rules for Prometheus, which looks once a second */
  static async open(rules: string): Promise<AlertStage> {
    const stage = new AlertStage();
    try {
      await stage.startServers();
      await stage.startServices();
      await stage.observe(rules);
      return stage;
    } catch (error) {
      await stage.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const cleanUp of this.cleanUps.reverse()) await cleanUp();
  }

  /** A connection to the database behind config's back. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client(this.databaseUrl);
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** Nobody else reads or writes these tables until the lock is released. @returns what releases it */
  async lockTables(...tables: readonly string[]): Promise<() => Promise<void>> {
    const client = await this.connect();
    await client.query(`BEGIN; LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
    return () => client.end();
  }

  /** Posts an event of a form; `members` are further members of its JSON. */
  async post(formId: string, members = ''): Promise<number> {
    const submission = `s_${this.posted++}`;
    const text = `{"event":"submission.created","form_id":"${formId}","submission_id":"${submission}","fields":{}${members}}`;
    return (await this.stack.post(text)).status;
  }

  /** A form with one endpoint there. @returns the endpoint's id */
  async register(formId: string, url: string): Promise<string> {
    await this.stack.registerForm(formId);
    return (await this.stack.createEndpoint(formId, url)).id;
  }

  /** Tells config's log of these records, as a dispatcher does. */
  tellLog(records: readonly LogRecord[]): Promise<void> {
    return this.broker.publisher.publish(TO_LOG, logBatchMessage(records));
  }

  /** Puts something into a queue that nobody can read. */
  putJunk(queue: string): Promise<void> {
    return this.broker.publisher.publish(toQueue(queue), { headers: {}, body: Buffer.from('junk') });
  }

  /** Sets the dispatcher's clock so far ahead. */
  stepDispatchersClock(offsetMs: number): void {
    writeFileSync(this.clockFile, String(offsetMs));
    process.kill(this.stack.service('dispatcher').pid!, 'SIGUSR2');
  }

  private async startServers(): Promise<void> {
    this.cleanUps.push(() => this.rabbitmq.discard());
    await this.rabbitmq.start();
    const database = await databaseWithDays();
    this.cleanUps.push(database.drop);
    this.databaseUrl = database.url;
    this.databaseWay = new CuttableProxy(new URL(database.url));
    this.brokerWay = new CuttableProxy(new URL(this.rabbitmq.url));
    this.cleanUps.push(
      () => this.databaseWay.cut(),
      () => this.brokerWay.cut(),
    );
    this.receiver = await Receiver.start();
    this.cleanUps.push(() => this.receiver.stop());
  }

  private async startServices(): Promise<void> {
    writeFileSync(this.clockFile, '0');
    this.stack = await Stack.start({
      rabbitmqUrl: await this.brokerWay.open(),
      databaseUrl: await this.databaseWay.open(),
      env: { ...ENVIRONMENT, NODE_OPTIONS: `--import ${CLOCK_PRELOAD}`, SURVIVE_CLOCK_FILE: this.clockFile },
    });
    this.cleanUps.push(() => this.stack.stop());
  }

  private async observe(rules: string): Promise<void> {
    const rulesFile = join(this.folder.path, 'rules.yaml');
    writeFileSync(rulesFile, rules);
    const { processes } = this.stack;
    const server = new PrometheusServer({
      folder: join(this.folder.path, 'prometheus'),
      rulesFile,
      port: await chooseFreePort(),
      healthPorts: Object.fromEntries(processes.map(({ name, healthPort }) => [name, healthPort])),
      scrapeEach: '1s',
      say: (line) => console.log(line),
    });
    this.cleanUps.push(() => server.stop());
    await server.start();
    this.broker = new Broker({ url: this.rabbitmq.url, name: 'test', logger: testLogger });
    this.cleanUps.push(() => this.broker.close());
    await this.broker.start();
    await this.broker.whenReady();
    this.watch = await AlertWatch.open(server.url, processes.length);
  }
}
