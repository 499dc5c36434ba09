import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { prometheusPrograms } from '@form-webhooks/local';
import { expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';

/* What KEDA would be told, by Prometheus' own reading of the query. */

const FILE = join(import.meta.dirname, '../../deploy/kubernetes/keda/dispatcher-scaling.yaml');

interface Scaled {
  readonly spec?: { readonly triggers?: readonly { readonly metadata: { readonly query?: string } }[] };
}

function query(): string {
  const documents = parseAllDocuments(readFileSync(FILE, 'utf8')).map((one) => one.toJS() as Scaled);
  return documents.flatMap(({ spec }) => spec?.triggers ?? []).flatMap(({ metadata }) => metadata.query ?? [])[0]!;
}

/** Ten a minute that lasted up to `seconds`, or none for minutes. */
const waits = (metric: string, labels: string, seconds: number | 'none') =>
  ['1', '8', '32', '+Inf'].map((le) => ({
    series: `${metric}_bucket{${labels},le="${le}"}`,
    values: seconds === 'none' ? '5x10' : `0+${Number(le) >= seconds || le === '+Inf' ? 10 : 0}x10`,
  }));
const attempts = (seconds: number | 'none') => waits('webhook_attempt_late_seconds', 'app="dispatcher"', seconds);
const events = (seconds: number | 'none', lane = 'normal') =>
  waits('webhook_event_wait_seconds', `app="dispatcher",lane="${lane}"`, seconds);

/** In the bucket from 8 to 32 s the slowest in a hundred is read as 31.76. */
const LONG = 31.76;
const CASES = [
  { input: [], value: 0 },
  { input: [...attempts('none'), ...events('none')], value: 0 },
  { input: [...attempts(32), ...events(1)], value: LONG },
  { input: [...attempts(1), ...events(32)], value: LONG },
  { input: [...attempts('none'), ...events(32)], value: LONG },
  { input: [...attempts('none'), ...events(32, 'bulk')], value: 0 },
];

it('KEDA is told the longer of both waits, and 0 where nothing was measured', async () => {
  const { promtool } = await prometheusPrograms((line) => console.log(line));
  const folder = mkdtempSync(join(tmpdir(), 'form-webhooks-scaling-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const tests = CASES.map(({ input, value }) => ({
    interval: '1m',
    input_series: input,
    promql_expr_test: [{ expr: `round(${query()}, 0.01)`, eval_time: '10m', exp_samples: [{ labels: '{}', value }] }],
  }));
  const file = join(folder, 'scaling.test.yaml');
  writeFileSync(file, stringify({ rule_files: [], evaluation_interval: '1m', tests }));
  const { stdout } = await promisify(execFile)(promtool, ['test', 'rules', file], { timeout: 120_000 });
  expect(stdout).toContain('SUCCESS');
}, 600_000);
