import { parseArgs } from 'node:util';
import { BenchStack } from './bench-stack.js';
import { latency } from './latency.js';
import { bareLoop, throughput, type Throughput } from './throughput.js';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '6000' },
    bytes: { type: 'string', default: '1024' },
    seconds: { type: 'string', default: '10' },
  },
});
const [events, bytes, seconds] = [Number(values.events), Number(values.bytes), Number(values.seconds)];

const stack = await BenchStack.start();
try {
  // Once around so that every process is warm, then the yardstick before and after what it judges.
  await throughput(stack, 1, Math.min(1_000, events), bytes);
  const before = await bareLoop(stack, seconds, bytes);
  const runs = [await throughput(stack, 1, events, bytes), await throughput(stack, 3, Math.ceil(events / 3), bytes)];
  const after = await bareLoop(stack, seconds, bytes);
  const bare = (before.perSecond + after.perSecond) / 2;
  console.log(
    `\nbare got loop, ${bytes} bytes, 64 in flight: ${bare.toFixed(0)}/s, ${before.cpuMsEach.toFixed(2)} ms CPU each`,
  );
  for (const run of runs) report(run, bare);
  const timed = await latency(stack, 100, seconds);
  console.log(`\nfrom the 202 to the receiver at ${timed.perSecond} events/s over ${timed.events} events:`);
  console.log(`  p50 ${timed.p50} ms (bar: 10), p99 ${timed.p99} ms (bar: 50), longest ${timed.max} ms`);
} finally {
  await stack.stop();
}

function report({ endpoints, deliveries, perSecond, cpu }: Throughput, bare: number): void {
  const share = ((perSecond / bare) * 100).toFixed(0);
  console.log(
    `\n${endpoints} endpoints an event, ${deliveries} deliveries: ${perSecond.toFixed(0)}/s = ${share} % of the bare loop (bar: 60 %)`,
  );
  const parts = Object.entries(cpu).map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  console.log(`  CPU ms per delivery: ${parts.join(', ')}`);
}
