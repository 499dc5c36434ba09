import { parseArgs } from 'node:util';
import { NoFigures, readFigures } from './figures.js';
import { needsOf, tightest, type Demand } from './model.js';

const USAGE = `npm run sizing -- [--deliveries N] [--endpoints N] [--retries N] [--answer SECONDS] [--days N] [--nodes N]

What so many deliveries a second need, reckoned from what \`npm run bench:sizing\` measured last (docs/sizing.md).
--endpoints an event, --retries a delivery, --answer how long receivers take, --days that the log keeps, --nodes of the
broker.`;

const { values } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '10000' },
    endpoints: { type: 'string', default: '3' },
    retries: { type: 'string', default: '0.1' },
    answer: { type: 'string', default: '0.3' },
    days: { type: 'string', default: '30' },
    nodes: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
});

function number(text: string, name: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new RangeError(`--${name} must be a number from 0 on`);
  return value;
}

function plan(): void {
  const demand: Demand = {
    deliveriesPerSecond: number(values.deliveries, 'deliveries'),
    endpointsPerEvent: Math.max(1, number(values.endpoints, 'endpoints')),
    retriesPerDelivery: number(values.retries, 'retries'),
    answerSeconds: number(values.answer, 'answer'),
    retentionDays: number(values.days, 'days'),
    brokerNodes: number(values.nodes, 'nodes'),
  };
  const figures = readFigures();
  const needs = needsOf(demand, figures);
  console.log(`measured on ${figures.measuredOn}\n`);
  for (const { what, amount, unit, why } of needs) {
    console.log(`${what.padEnd(40)} ${amount.toFixed(amount < 10 ? 1 : 0).padStart(7)} ${unit.padEnd(14)} ${why}`);
  }
  console.log('\nwhat gives way first, as a share of what there can be of it:');
  for (const { what, share } of tightest(needs)) console.log(`${what.padEnd(40)} ${share.toFixed(2).padStart(7)}`);
}

try {
  if (values.help) console.log(USAGE);
  else plan();
} catch (error) {
  if (!(error instanceof NoFigures)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
