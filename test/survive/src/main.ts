import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { LocalFailure } from '@form-webhooks/local';
import { chosenFaults } from './chosen-faults.js';
import { printed } from './judge/report.js';
import { survive, type RunPlan } from './survival.js';

const USAGE = `npm run survive -- [--minutes N] [--seed S] [--rate N] [--forms N] [--ingests N] [--dispatchers N]
                  [--configs N] [--cluster] [--only WORDS] [--each] [--from FOLDER] [--set NAME=VALUE] [--keep]

Runs the whole product on servers of its own under load and strikes it, then holds what the receivers saw against what
was accepted. The seed decides which faults come in which order. --cluster takes a RabbitMQ cluster of three nodes and
strikes those. --only takes the faults whose names contain one of the
words (separated by commas); --each strikes each of them once, in their order, instead of for N minutes. --from names a
checkout of an earlier version that is installed and built: every service starts from it, is replaced by this version
one after another, then back, then forth again. --set gives every service a setting. Faults that fill disks need the
right to mount and one needs a short day (--set DELIVERY_MAX_AGE=150s): these are struck only if --only names them; the
flood and certificates, which take minutes, with --each as well. --keep keeps logs and records also when nothing is wrong.`;

const OPTIONS = {
  minutes: { type: 'string', default: '10' },
  seed: { type: 'string' },
  rate: { type: 'string', default: '200' },
  forms: { type: 'string', default: '12' },
  ingests: { type: 'string', default: '2' },
  dispatchers: { type: 'string', default: '1' },
  configs: { type: 'string', default: '1' },
  cluster: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
  each: { type: 'boolean', default: false },
  from: { type: 'string' },
  set: { type: 'string', multiple: true, default: [] as string[] },
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

function readSetting(text: string): readonly [string, string] {
  const [name, ...value] = text.split('=');
  if (!name || value.length === 0) throw new RangeError(`--set ${text}: it must be NAME=VALUE`);
  return [name, value.join('=')];
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
  const faults = chosenFaults(values);
  const minutes = number(values.minutes, 'minutes');
  return {
    settings: {
      seed,
      perSecond: number(values.rate, 'rate'),
      forms: number(values.forms, 'forms'),
      ingests: number(values.ingests, 'ingests'),
      dispatchers: number(values.dispatchers, 'dispatchers'),
      configs: number(values.configs, 'configs'),
      cluster: values.cluster,
      needs: faults.flatMap(({ needs = [] }) => needs),
      earlierBuild: values.from === undefined ? undefined : resolve(values.from),
      env: Object.fromEntries(values.set.map(readSetting)),
    },
    folder,
    // A run of minutes can't have outages of minutes; a long one can.
    spans: { short: [2_000, 15_000], long: minutes < 15 ? [5_000, 30_000] : [30_000, 180_000] },
    quietWithinMs: 600_000,
    // From an earlier version only in their order.
    strike: (run) =>
      values.each || values.from !== undefined
        ? run.strikeAll(faults)
        : run.strikeUntil(faults, Date.now() + minutes * 60_000),
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
