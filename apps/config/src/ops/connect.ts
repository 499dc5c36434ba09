import { Broker, type BrokerLogger } from '@form-webhooks/broker';
import { inTime } from '@form-webhooks/domain';
import { BrokerSettings } from '@form-webhooks/settings';
import { createDataSource, type DataSource } from '@form-webhooks/storage';
import { DatabaseSettings } from '../database/database-settings.js';
import {
  judgeBrokerFailure,
  judgeDatabaseFailure,
  judgeOtherDatabaseFailure,
} from '../failures/connection-failures.js';
import type { Fault } from '../failures/fault.js';
import type { Installation } from './installation.js';
import { EXIT, OpsFailure } from './ops-command.js';

const BROKER_WITHIN_MS = 15_000;
/** One node of a cluster may be away: each is tried a few times, over either connection. */
const FAILURES_PER_NODE = 3;

/** Runs work on the installation's broker, as nobody who declares anything. @throws OpsFailure if it can't be reached */
export async function withBroker<T>(installation: Installation, work: (broker: Broker) => Promise<T>): Promise<T> {
  const { url } = installation.settings(BrokerSettings);
  const failures = new Failures(FAILURES_PER_NODE * url.split(',').length);
  const broker = new Broker({ url, name: 'operator', owner: 'nobody', logger: failures.logger });
  await broker.start();
  try {
    await inTime(Promise.race([broker.whenReady(), failures.enough]), BROKER_WITHIN_MS);
    const { publishing, consuming } = broker.status();
    if (publishing && consuming) return await work(broker);
    throw asFailure(judgeBrokerFailure(failures.last));
  } finally {
    await broker.close();
  }
}

/** What the broker's layer logs of its attempts to connect. */
class Failures {
  last: unknown = new Error('it does not answer');
  readonly enough: Promise<void>;
  readonly logger: BrokerLogger;

  constructor(limit: number) {
    let left = limit;
    let resolve: () => void;
    this.enough = new Promise((done) => (resolve = done));
    const note = (facts: object): void => {
      if (!('err' in facts) || facts.err === undefined) return;
      this.last = facts.err;
      left -= 1;
      if (left === 0) resolve();
    };
    this.logger = { debug: () => undefined, info: () => undefined, warn: note, error: note };
  }
}

/** Runs work on the installation's database. @throws OpsFailure if it can't be reached */
export async function withDatabase<T>(
  installation: Installation,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  return withDatabaseAt(installation.settings(DatabaseSettings).url, DATABASE_URL, work);
}

/**
 * Runs work on a database.
 * @param named the variable or the option that has the URL
 * @throws OpsFailure that names it if the database can't be reached
 */
export async function withDatabaseAt<T>(
  url: string,
  named: string,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const dataSource = await openDatabase(url, named);
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

const DATABASE_URL = 'DATABASE_URL';

async function openDatabase(url: string, named: string): Promise<DataSource> {
  try {
    const dataSource = createDataSource({
      url,
      applicationName: 'form-webhooks operator',
      poolSize: 3,
      statementTimeoutMs: 60_000,
      onIdleError: () => undefined,
    });
    return await dataSource.initialize();
  } catch (error) {
    throw asFailure(named === DATABASE_URL ? judgeDatabaseFailure(error) : judgeOtherDatabaseFailure(error, named));
  }
}

const asFailure = ({ what, repair, see }: Fault): OpsFailure => new OpsFailure(what, repair, EXIT.unable, see);
