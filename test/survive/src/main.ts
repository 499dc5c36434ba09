import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LocalFailure } from '@form-webhooks/local';
import { CLUSTER_FAULTS } from './faults/cluster-faults.js';
import type { Fault } from './faults/fault.js';
import { PROCESS_FAULTS } from './faults/process-faults.js';
import { FREEZE_FAULTS } from './faults/frozen-connections.js';
import { MEMORY_FAULTS } from './faults/memory-faults.js';
import { printed } from './judge/report.js';
import { RESTORE_FAULTS } from './faults/restored-database.js';
import { BROKER_FAULTS, POSTGRES_FAULTS } from './faults/server-faults.js';
import { TOPOLOGY_FAULTS } from './faults/topology-faults.js';
import { survive, type RunPlan } from './survival.js';

const USAGE = `npm run survive -- [--minutes N] [--seed S] [--rate N] [--forms N] [--ingests N] [--dispatchers N]
                  [--cluster] [--only WORDS] [--each] [--keep]

Runs the whole product on servers of its own under load and strikes it, then holds what the receivers saw against what
was accepted. The seed decides which faults come in which order. --cluster takes a RabbitMQ cluster of three nodes and
strikes those. --only takes the faults whose names contain one of the
words (separated by commas); --each strikes each of them once, in their order, instead of for N minutes; --keep keeps logs and records also when nothing is wrong.`;

const OPTIONS = {
  minutes: { type: 'string', default: '10' },
  seed: { type: 'string' },
  rate: { type: 'string', default: '200' },
  forms: { type: 'string', default: '12' },
  ingests: { type: 'string', default: '2' },
  dispatchers: { type: 'string', default: '1' },
  cluster: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
  each: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const { values } = parseArgs({ options: OPTIONS });
const began = Date.now();

function number(text: string, name: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new RangeError(`--${name} must be a number above 0`);
  return value;
}

function chosenFaults(): readonly Fault[] {
  const brokerFaults = values.cluster ? CLUSTER_FAULTS : [...BROKER_FAULTS, ...FREEZE_FAULTS];
  const others = [...brokerFaults, ...MEMORY_FAULTS, ...RESTORE_FAULTS];
  const all = [...PROCESS_FAULTS, ...POSTGRES_FAULTS, ...TOPOLOGY_FAULTS, ...others];
  const words = values.only.split(',').filter(Boolean);
  const chosen = all.filter(({ kind }) => words.length === 0 || words.some((word) => kind.includes(word)));
  if (chosen.length > 0) return chosen;
  throw new RangeError(`--only names none of: ${all.map(({ kind }) => kind).join(', ')}`);
}

/** A Ctrl-C ends the run in order; the process ends with it, whatever the run was at. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => controller.abort());
  return controller.signal;
}

function say(line: string): void {
  console.log(`${((Date.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
}

function planFor(folder: string, seed: number): RunPlan {
  const faults = chosenFaults();
  const minutes = number(values.minutes, 'minutes');
  return {
    settings: {
      seed,
      perSecond: number(values.rate, 'rate'),
      forms: number(values.forms, 'forms'),
      ingests: number(values.ingests, 'ingests'),
      dispatchers: number(values.dispatchers, 'dispatchers'),
      cluster: values.cluster,
      needs: faults.flatMap(({ needs = [] }) => needs),
    },
    folder,
    // A run of minutes can't have outages of minutes; a long one can.
    spans: { short: [2_000, 15_000], long: minutes < 15 ? [5_000, 30_000] : [30_000, 180_000] },
    quietWithinMs: 600_000,
    strike: (run) => (values.each ? run.strikeAll(faults) : run.strikeUntil(faults, Date.now() + minutes * 60_000)),
    say,
    signal: interruption(),
  };
}

async function main(): Promise<void> {
  if (values.help) return console.log(USAGE);
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : number(values.seed, 'seed');
  const folder = mkdtempSync(join(tmpdir(), 'form-webhooks-survive-'));
  console.log(`seed ${seed}; everything of this run is in ${folder}`);
  const report = await survive(planFor(folder, seed));
  console.log(`\n${printed(report)}`);
  const passed = report.faults.length === 0;
  if (passed && !values.keep) rmSync(folder, { recursive: true, force: true });
  else console.log(`\nlogs and records are kept in ${folder}`);
  process.exitCode = passed ? 0 : 1;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof LocalFailure ? String(error) : error);
  process.exitCode = 1;
}
process.exit();
