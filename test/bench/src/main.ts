import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BarePipeline } from './bare/bare-pipeline.js';
import { BenchStack } from './bench-stack.js';
import { EventPosts } from './event-posts.js';
import { costOf, type Cost, type CpuParts, type Pipeline } from './pipeline-cost.js';

/** Ratios of an earlier run: what is worse by more than this is a regression, though machines are noisy. */
const BASELINE = join(import.meta.dirname, '../baseline.json');
const TOLERANCE = 0.25;
const FORMS = 20;
const CONNECTIONS = 64;
/** What must hold of the product, as a part of the bare pipeline in the same run. */
const BARS = { perSecond: 0.7, cpu: 1.5, p50: 5, p99: 50 };

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '4000' },
    endpoints: { type: 'string', default: '1,3' },
    rounds: { type: 'string', default: '2' },
    'write-baseline': { type: 'boolean', default: false },
  },
});

type Ratios = Record<string, number>;
const ratios: Ratios = {};
const stack = await BenchStack.start();
try {
  for (const endpoints of values.endpoints.split(',').map(Number)) await compare(endpoints);
} finally {
  await stack.stop();
}
judge();

/** The product and the bare pipeline in turn, so that both see the same machine; of each the best round counts. */
async function compare(endpoints: number): Promise<void> {
  const paths = Array.from({ length: endpoints }, (_, n) => `/e${n}`);
  const product = await productOf(endpoints, paths);
  const costs = { bare: [] as Cost[], product: [] as Cost[] };
  for (let round = 0; round < Number(values.rounds); round++) {
    const running = await BarePipeline.start(stack, paths);
    const open = (): EventPosts => new EventPosts(running.url, '', CONNECTIONS);
    const bare = { name: 'bare', forms: product.forms, endpoints, open, pids: () => running.pids() };
    costs.bare.push(report(bare, await costOf(stack, bare, Number(values.events), `${endpoints}b${round}`)));
    await running.stop();
    costs.product.push(report(product, await costOf(stack, product, Number(values.events), `${endpoints}p${round}`)));
  }
  const [bare, ours] = [bestOf(costs.bare), bestOf(costs.product)];
  ratios[`deliveries a second, ${endpoints} endpoint(s)`] = ours.perSecond / bare.perSecond;
  ratios[`CPU a delivery at 100 events/s, ${endpoints} endpoint(s)`] = ours.cpu / bare.cpu;
  ratios[`CPU a delivery at full load, ${endpoints} endpoint(s)`] = ours.cpuFull / bare.cpuFull;
  console.log(
    `\n${endpoints} endpoint(s): ${(ours.perSecond / bare.perSecond).toFixed(2)} of the bare pipeline's deliveries a second ` +
      `(bar ${BARS.perSecond}), ${(ours.cpu / bare.cpu).toFixed(2)} of its CPU at 100 events/s (bar ${BARS.cpu}), ` +
      `p50 ${ours.p50} ms (bar ${BARS.p50}), p99 ${ours.p99} ms (bar ${BARS.p99}); bare ${bare.p50} and ${bare.p99} ms`,
  );
}

async function productOf(endpoints: number, paths: readonly string[]): Promise<Pipeline> {
  const forms = Array.from({ length: FORMS }, (_, n) => `f_cost_${endpoints}_${n}`);
  for (const form of forms) await stack.form(form, paths);
  const open = (): EventPosts => new EventPosts(`${stack.ingestUrl}/v1/events`, stack.adminKey, CONNECTIONS);
  const names = ['config', 'dispatcher', 'ingest'];
  return {
    name: 'product',
    forms,
    endpoints,
    open,
    pids: () => names.map((name) => [name, stack.pidOf(name)] as const),
  };
}

function report({ name, endpoints }: Pipeline, cost: Cost): Cost {
  const parts = ({ total, parts: each }: CpuParts): string =>
    `${total.toFixed(2)} (${Object.entries(each)
      .map(([part, ms]) => `${part} ${ms.toFixed(2)}`)
      .join(', ')})`;
  console.log(`\n${name}, ${endpoints} endpoint(s) an event: ${cost.perSecond.toFixed(0)} deliveries/s`);
  console.log(`  CPU ms a delivery at full load: ${parts(cost.cpu.full)}`);
  console.log(`  CPU ms a delivery at 100 events/s: ${parts(cost.cpu.at100)}; p50 ${cost.p50}, p99 ${cost.p99} ms`);
  return cost;
}

function bestOf(costs: readonly Cost[]) {
  const least = (of: (cost: Cost) => number): number => Math.min(...costs.map(of));
  return {
    perSecond: Math.max(...costs.map(({ perSecond }) => perSecond)),
    cpu: least(({ cpu }) => cpu.at100.total),
    cpuFull: least(({ cpu }) => cpu.full.total),
    p50: least(({ p50 }) => p50),
    p99: least(({ p99 }) => p99),
  };
}

/** Beside the committed ratios: absolute figures differ from machine to machine, these hardly do. */
function judge(): void {
  if (values['write-baseline']) {
    writeFileSync(BASELINE, `${JSON.stringify(ratios, (_, value: unknown) => rounded(value), 2)}\n`);
    return;
  }
  if (!existsSync(BASELINE)) return console.log('\nno baseline to compare with; --write-baseline makes one');
  const baseline = JSON.parse(readFileSync(BASELINE, 'utf8')) as Ratios;
  for (const [what, ratio] of Object.entries(ratios)) {
    const before = baseline[what];
    if (before === undefined) continue;
    const worse = what.startsWith('CPU') ? ratio / before - 1 : before / ratio - 1;
    console.log(
      `${what}: ${ratio.toFixed(2)}, baseline ${before.toFixed(2)}${worse > TOLERANCE ? '  REGRESSION' : ''}`,
    );
    if (worse > TOLERANCE) process.exitCode = 1;
  }
}

function rounded(value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(2)) : value;
}
