import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { BenchStack } from './bench-stack.js';
import { Publishing } from './publishing.js';
import { until } from './waiting.js';

const run = promisify(execFile);

export interface BareLoop {
  readonly perSecond: number;
  readonly cpuMsEach: number;
}

/** The yardstick of the same run: a bare got loop against the same receiver. */
export async function bareLoop(stack: BenchStack, seconds: number, bytes: number): Promise<BareLoop> {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'bare-loop-process.js')], {
    env: {
      PATH: process.env['PATH'],
      BENCH_URL: stack.receiver.url('/bare'),
      BENCH_CA_FILE: stack.caFile,
      BENCH_SECONDS: String(seconds),
      BENCH_BYTES: String(bytes),
    },
  });
  return JSON.parse(stdout) as BareLoop;
}

export interface Throughput {
  readonly endpoints: number;
  readonly deliveries: number;
  readonly perSecond: number;
  /** CPU ms per delivery by process. */
  readonly cpu: Readonly<Record<string, number>>;
}

/**
 * Deliveries per second from the first publish until the last one is in the delivery log as delivered, with
 * everything on this machine.
 */
export async function throughput(
  stack: BenchStack,
  endpoints: number,
  events: number,
  bytes: number,
): Promise<Throughput> {
  const formId = `f_throughput_${endpoints}_${Date.now()}`;
  await stack.form(
    formId,
    Array.from({ length: endpoints }, (_, n) => `/throughput-${n}`),
  );
  const publishing = await Publishing.open(stack.rabbitmq.url);
  const database = new pg.Client({ connectionString: stack.postgres.url });
  await database.connect();
  try {
    const cpuBefore = stack.cpu();
    const began = process.hrtime.bigint();
    const deliveries = events * endpoints;
    await Promise.all([
      publishing.flood(formId, events, bytes),
      until('all deliveries recorded as delivered', async () => {
        // Of the roll-ups, which move with the rows: counting rows would be work that the product hasn't.
        const { rows } = await database.query<{ delivered: string }>(
          'SELECT coalesce(sum(delivered), 0) AS delivered FROM delivery_counts WHERE form_id = $1',
          [formId],
        );
        return Number(rows[0]!.delivered) >= deliveries;
      }),
    ]);
    const seconds = Number(process.hrtime.bigint() - began) / 1e9;
    const cpuAfter = stack.cpu();
    const cpu = Object.fromEntries(
      Object.entries(cpuAfter).map(([name, ms]) => [name, (ms - (cpuBefore[name] ?? 0)) / deliveries]),
    );
    return { endpoints, deliveries, perSecond: deliveries / seconds, cpu };
  } finally {
    await database.end();
    await publishing.close();
  }
}
