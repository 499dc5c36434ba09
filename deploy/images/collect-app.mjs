// The files of one app and nothing else: what its image consists of. Plain JavaScript, run after the build:
//
//   node deploy/images/collect-app.mjs config /app
//
// Fills the folder, which must be empty or missing, with the app and the packages of this workspace that it uses, built,
// and with node_modules: what these need in production, exactly as package-lock.json has it.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const [app, target] = process.argv.slice(2);
/** What an app serves that is built elsewhere. */
const PAGES = { config: ['apps/dashboard'] };
const source = `apps/${app}`;

if (app === undefined || target === undefined) refuse('usage: node deploy/images/collect-app.mjs <app> <folder>');
for (const folder of [source, ...(PAGES[app] ?? [])]) {
  if (!existsSync(join(root, folder, 'dist'))) refuse(`${folder} is not there or not built: run \`npm run build\``);
}
if (existsSync(target) && readdirSync(target).length > 0) refuse(`${target} is not empty`);

const folders = workspaceFolders();
const used = packagesUsedBy(source);
// npm compares the lock file with every package of the workspace, so their descriptions are needed while it installs.
for (const folder of ['.', ...folders]) copy(join(folder, 'package.json'));
copy('package-lock.json');
execFileSync('npm', ['ci', '--omit=dev', `--workspace=${source}`, '--ignore-scripts', '--no-audit', '--no-fund'], {
  cwd: target,
  stdio: ['ignore', 'ignore', 'inherit'],
});
for (const folder of folders.filter((one) => !used.has(one))) remove(folder);
for (const folder of [...used, ...(PAGES[app] ?? [])]) copyBuilt(folder);
removeDangling(join(target, 'node_modules/@form-webhooks'));
copy('LICENSE');

function workspaceFolders() {
  const { workspaces } = readJson('package.json');
  return workspaces.flatMap((pattern) =>
    pattern.endsWith('/*')
      ? readdirSync(join(root, dirname(pattern))).map((name) => join(dirname(pattern), name))
      : [pattern],
  );
}

/** The app's folder and those of the packages that it needs, and that these need. */
function packagesUsedBy(first) {
  const folderOf = new Map(folders.map((folder) => [readJson(join(folder, 'package.json')).name, folder]));
  const reached = new Set([first]);
  for (const folder of reached) {
    for (const name of Object.keys(readJson(join(folder, 'package.json')).dependencies ?? {})) {
      const needed = folderOf.get(name);
      if (needed !== undefined) reached.add(needed);
    }
  }
  return reached;
}

/** What runs: no types, no traces of the build, nothing that only tests use. */
function copyBuilt(folder) {
  const from = join(root, folder, 'dist');
  const isLeftOut = (path) => path.endsWith('.d.ts') || path.endsWith('.tsbuildinfo') || path === join(from, 'testing');
  cpSync(from, join(target, folder, 'dist'), { recursive: true, filter: (path) => !isLeftOut(path) });
}

/** npm links every package of the workspace that it saw; those that are not used lead nowhere now. */
function removeDangling(folder) {
  for (const name of readdirSync(folder)) {
    const link = join(folder, name);
    if (lstatSync(link).isSymbolicLink() && !existsSync(link)) rmSync(link);
  }
}

function copy(file) {
  mkdirSync(dirname(join(target, file)), { recursive: true });
  cpSync(join(root, file), join(target, file));
}

function remove(folder) {
  rmSync(join(target, folder), { recursive: true, force: true });
}

function readJson(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}

function refuse(why) {
  console.error(why);
  process.exit(2);
}
