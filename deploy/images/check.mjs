// `npm run images:check`: what each image would consist of, collected into a folder of its own, runs. Plain JavaScript.
//
// Each app is installed alone (deploy/images/collect-app.mjs) and started from there beside private servers; the
// demonstration of `npm start` then has to pass. An image's file system is read-only, so nothing may be written into it.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, installDependencies } from '../local/prepare/prepare.mjs';

const APPS = ['ingest', 'dispatcher', 'config'];
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = join(root, '.local', 'images');

await installDependencies(root, console.log);
await build(root, console.log);
rmSync(folder, { recursive: true, force: true });
const rootOf = Object.fromEntries(APPS.map((app) => [app, join(folder, app)]));
for (const app of APPS) {
  console.log(`Installing ${app} alone`);
  execFileSync(process.execPath, [join(root, 'deploy/images/collect-app.mjs'), app, rootOf[app]], { stdio: 'inherit' });
  console.log(`${app}: ${filesBelow(rootOf[app]).length} files`);
}
const before = APPS.map((app) => stateOf(rootOf[app]));
process.exitCode = (await demonstrate()) && APPS.every((app, n) => isUntouched(app, before[n])) ? 0 : 1;
console.log(`images: ${process.exitCode === 0 ? 'passed' : 'failed'}`);

async function demonstrate() {
  const { LocalStack } = await import('../local/dist/local-stack.js');
  const { StopList } = await import('../local/dist/processes/stop-list.js');
  const stops = new StopList((line) => console.log(line));
  const told = new AbortController();
  const options = {
    root,
    rootOf,
    folder: join(folder, 'state'),
    say: (line) => console.log(line),
    stops,
    signal: told.signal,
  };
  try {
    await new LocalStack(options).run();
    return JSON.parse(readFileSync(join(folder, 'state', 'stack.json'), 'utf8')).demo === 'passed';
  } catch (thrown) {
    console.error(thrown);
    return false;
  } finally {
    told.abort();
    await stops.stop();
  }
}

function isUntouched(app, before) {
  const after = stateOf(rootOf[app]);
  const touched = [...after].filter(([file, state]) => before.get(file) !== state).map(([file]) => file);
  if (touched.length > 0) console.error(`${app} writes where an image is read-only: ${touched.join(', ')}`);
  return touched.length === 0;
}

/** Each file with what a write would change. */
function stateOf(from) {
  return new Map(
    filesBelow(from).map((file) => {
      const { mtimeMs, size } = statSync(file);
      return [file, `${mtimeMs} ${size}`];
    }),
  );
}

function filesBelow(from) {
  return readdirSync(from, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
