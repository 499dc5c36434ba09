import { createDataSource } from '@form-webhooks/storage';
import type { BenchStack } from '../bench-stack.js';
import { cpuMs, cpuMsOfTree } from '../cpu-time.js';
import { writerRate } from '../log-writer-rate.js';

export interface LogCost {
  readonly rowsPerSecond: number;
  /** CPU ms for a record, of the writer's own code and of PostgreSQL. */
  readonly writer: number;
  readonly postgres: number;
}

/** Writes the log as config does, in this process: a record for each fan-out and each attempt. */
export async function logCost(stack: BenchStack, events: number): Promise<LogCost> {
  const dataSource = createDataSource({
    url: stack.postgres.url,
    applicationName: 'bench',
    poolSize: 8,
    statementTimeoutMs: 600_000,
    onIdleError: (error) => console.error(error),
  });
  await dataSource.initialize();
  try {
    const postgres = stack.serverPid('postgres');
    let [own, server] = [0, 0];
    const { records, recordsPerSecond } = await writerRate(dataSource, events, () => {
      [own, server] = [cpuMs(process.pid), cpuMsOfTree(postgres)];
    });
    return {
      rowsPerSecond: recordsPerSecond,
      writer: (cpuMs(process.pid) - own) / records,
      postgres: (cpuMsOfTree(postgres) - server) / records,
    };
  } finally {
    await dataSource.destroy();
  }
}
