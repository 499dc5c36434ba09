import { Injectable } from '@nestjs/common';
import { poolUse } from '@form-webhooks/storage';
import { Metrics } from '@form-webhooks/telemetry';
import { DatabasePools } from '../database/database-pools.js';
import { DatabaseProbe } from '../database/database-probe.js';

/** How the pools of connections stand. */
@Injectable()
export class DatabaseMetrics {
  constructor(metrics: Metrics, pools: DatabasePools, probe: DatabaseProbe) {
    const uses = () => pools.all.map(({ use: pool, source }) => ({ pool, ...(poolUse(source) ?? NONE) }));
    metrics.watchEach('config_database_connections', 'Connections of a pool', ['pool', 'state'], () =>
      uses().flatMap(({ pool, used, idle }) => [
        { labels: { pool, state: 'used' }, value: used },
        { labels: { pool, state: 'idle' }, value: idle },
      ]),
    );
    metrics.watchEach('config_database_connections_max', 'How many a pool may have', ['pool'], () =>
      uses().map(({ pool, max }) => ({ labels: { pool }, value: max })),
    );
    metrics.watchEach('config_database_callers_waiting', 'Who waits for a connection of a pool', ['pool'], () =>
      uses().map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
    );
    metrics.watch('config_database_answers', '1 while the database answers over each pool', () =>
      probe.answers ? 1 : 0,
    );
  }
}

/** Before it is connected. */
const NONE = { max: 0, used: 0, idle: 0, waiting: 0 };
