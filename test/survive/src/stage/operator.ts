import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Stage } from './stage.js';
import { THIS_BUILD } from './service.js';

const execute = promisify(execFile);
const OPS = join(THIS_BUILD, 'apps/config/dist/ops/ops.js');

/** What an operator's command prints as JSON, called as in config's container. @throws Error if it fails */
export async function operate<Told>(stage: Stage, ...args: readonly string[]): Promise<Told> {
  return operateWith(stage, {}, ...args);
}

/** The same with some settings of its own. @throws Error with what it said in `stderr` if it fails */
export async function operateWith<Told>(
  stage: Stage,
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Told> {
  const env = { PATH: process.env['PATH'], ...stage.of('config')[0]!.env, ...settings };
  const { stdout } = await execute(process.execPath, [OPS, ...args, '--json'], { env });
  return JSON.parse(stdout) as Told;
}

interface Findings {
  readonly findings: readonly { readonly verdict: string; readonly check: string; readonly what: string }[];
}

/** Holds a check that ends with 1 if it finds anything. @throws Error with what is wrong */
export async function expectNothingWrong(stage: Stage, ...check: readonly string[]): Promise<void> {
  const told = await operate<Findings>(stage, ...check).catch((error: unknown) => {
    const { stdout } = error as { readonly stdout?: string };
    if (!stdout) throw error;
    return JSON.parse(stdout) as Findings;
  });
  const wrong = told.findings.filter(({ verdict }) => verdict === 'wrong');
  if (wrong.length > 0)
    throw new Error(`${check.join(' ')}: ${wrong.map((one) => `${one.check}: ${one.what}`).join('; ')}`);
}
