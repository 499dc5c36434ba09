import { readDemand, WrongCall } from './demand.js';
import { NoFigures, readFigures } from './figures.js';
import { needsOf, tightest, type Demand } from './model.js';

const USAGE = `npm run sizing -- [--deliveries N] [--endpoints N] [--retries N] [--answer SECONDS] [--days N] [--nodes N]

What so many deliveries a second need, reckoned from what \`npm run bench:sizing\` measured last (docs/sizing.md).
--endpoints an event, --retries a delivery, --answer how long receivers take, --days that the log keeps, --nodes of the
broker.`;

function plan(demand: Demand): void {
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
  const demand = readDemand(process.argv.slice(2));
  if (demand === undefined) console.log(USAGE);
  else plan(demand);
} catch (error) {
  if (!(error instanceof NoFigures || error instanceof WrongCall)) throw error;
  console.error(error.message);
  process.exitCode = error instanceof WrongCall ? 2 : 1;
}
