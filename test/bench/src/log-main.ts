import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createDataSource } from '@form-webhooks/storage';
import { BenchStack } from './bench-stack.js';
import { FORMS, loadLog } from './log-load.js';
import { pageThrough, readTimes } from './log-reads.js';
import { writerRate } from './log-writer-rate.js';

const { values } = parseArgs({
  options: {
    attempts: { type: 'string', default: '10000000' },
    events: { type: 'string', default: '40000' },
    calls: { type: 'string', default: '200' },
    pages: { type: 'string', default: '1000000' },
  },
});

const stack = await BenchStack.start({ REQUESTS_PER_MINUTE: '1000000' });
const dataSource = createDataSource({
  url: stack.postgres.url,
  applicationName: 'bench',
  poolSize: 8,
  statementTimeoutMs: 3_600_000,
  onIdleError: (error) => console.error(error),
});
try {
  await dataSource.initialize();
  const rate = await writerRate(dataSource, Number(values.events));
  console.log(`\nlog writer: ${rate.recordsPerSecond.toFixed(0)} records/s over ${rate.records} records (bar: 5000)`);
  console.log(
    `  ${rate.statementsPerDelivery.toFixed(3)} statements and ${rate.bytesPerDelivery.toFixed(0)} bytes a delivery (event of 1 KiB, one endpoint, one attempt)`,
  );
  for (let n = 0; n < FORMS; n++)
    await stack.api('PUT', `/v1/forms/f_${n}`, { workspace_id: 'ws_bench', name: 'bench' });
  const began = Date.now();
  await loadLog(dataSource, Number(values.attempts), (line) => console.log(line));
  console.log(`${values.attempts} attempts loaded in ${((Date.now() - began) / 1_000).toFixed(0)} s\n`);
  for (const { what, p50, p95, calls } of await readTimes(stack, Number(values.calls))) {
    console.log(
      `${what}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms over ${calls} calls (bars: lists and detail 100, statistics 300)`,
    );
  }
  const memory = () => residentMiB(stack.pidOf('config'));
  const before = memory();
  const samples: number[] = [];
  let pages = 0;
  const seen = await pageThrough(stack, Number(values.pages), () => {
    if (pages++ % 100 === 0) samples.push(memory());
  });
  // A tenth each, so that a slope shows and a single collection doesn't.
  const tenths = Array.from({ length: 10 }, (_, n) => Math.max(...tenthOf(samples, n)));
  console.log(`${seen} deliveries paged through: config's memory ${before} MiB before, then ${tenths.join(', ')} MiB`);
} finally {
  if (dataSource.isInitialized) await dataSource.destroy();
  await stack.stop();
}

function tenthOf(samples: readonly number[], n: number): number[] {
  const end = Math.max(1, Math.ceil((samples.length * (n + 1)) / 10));
  return samples.slice(Math.floor((samples.length * n) / 10), end);
}

function residentMiB(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1_024);
}
