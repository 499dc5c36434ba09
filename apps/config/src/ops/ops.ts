import 'reflect-metadata';
import { runOps } from './run-ops.js';

/*
 * The operator's command line: `npm run ops -- <command>`, in config's image `node apps/config/dist/ops/ops.js <command>`.
 */
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());

const code = await runOps(process.argv.slice(2), {
  environment: process.env,
  folder: process.cwd(),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  signal: stopping.signal,
});
// A connection that a frozen or blocked broker does not close would keep the process for good.
process.exit(code);
