// What `npm start` and `npm test` do before any of the project's code can run. Only node builtins.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';

/** Something that a person has to act on; printed without a stack. */
export class PreparationFailure extends Error {}

/** nx without its daemon, its screen and its questions, because this runs in scripts too. */
const QUIET_NX = { NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true', NX_ISOLATE_PLUGINS: 'false' };

/** @param {string} root */
export function checkNode(root) {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [major, minor] = engines.node.replace(/^>=/, '').split('.').map(Number);
  const [hasMajor, hasMinor] = process.versions.node.split('.').map(Number);
  if (hasMajor > major || (hasMajor === major && hasMinor >= minor)) return;
  throw new PreparationFailure(
    `Node.js ${process.versions.node} is too old: ${engines.node} is needed. Install a newer one and try again.`,
  );
}

/** Installs the dependencies unless exactly those of the lock file are there. @param {string} root */
export async function installDependencies(root, say) {
  const hasLock = existsSync(join(root, 'package-lock.json'));
  if (hasLock && isInstalled(root)) return;
  say('Installing dependencies');
  // Also where NODE_ENV=production or the user's npm leaves the tools of the build out.
  const args = [hasLock ? 'ci' : 'install', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const done = await runNpm(root, args, 'inherit');
  if (done.code === 0) return;
  throw new PreparationFailure(
    `npm ${args[0]} failed (exit code ${done.code}); see its lines above. ` +
      'A registry that can not be reached or a full disk are the usual reasons.',
  );
}

/** Compares by content: a checkout or a copy changes times, not what is installed. */
function isInstalled(root) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(([path, one]) => {
    if (path === '' || !path.includes('node_modules/') || one.optional || one.peer) return true;
    if (one.link) return existsSync(join(root, path));
    return installed[path]?.version === one.version;
  });
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** @param {string} root */
export async function build(root, say) {
  say('Building');
  const { bin } = JSON.parse(readFileSync(join(root, 'node_modules', 'nx', 'package.json'), 'utf8'));
  const nx = join(root, 'node_modules', 'nx', bin.nx);
  const done = await run(process.execPath, [nx, 'run-many', '-t', 'build', '--outputStyle=static'], root, 'pipe');
  if (done.code === 0) return;
  process.stdout.write(done.output);
  throw new PreparationFailure(`The build failed (exit code ${done.code}); see its lines above.`);
}

/** Runs npm with the Node and npm that run this, which need not be those of PATH. */
export function runNpm(root, args, output, niceness = 0) {
  const cli = process.env.npm_execpath;
  const isNpm = cli !== undefined && /npm-cli\.c?js$/.test(cli);
  const [program, all] = isNpm ? [process.execPath, [cli, ...args]] : ['npm', args];
  return run(program, all, root, output, niceness);
}

/**
 * Runs a program to its end; what it prints is shown, or kept.
 * @param {'inherit' | 'pipe'} output
 * @param {number} niceness how far it and what it starts stand back behind others that need the processor: 0 to 19
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(program, args, cwd, output, niceness = 0) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      stdio: ['ignore', output, output],
      env: { ...process.env, ...QUIET_NX },
    });
    if (niceness > 0 && child.pid !== undefined) setPriority(child.pid, niceness);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (part) => (text += part));
    child.once('error', (error) => resolve({ code: 127, output: `${program} can't be started: ${error.message}\n` }));
    child.once('close', (code) => resolve({ code: code ?? 1, output: text }));
  });
}
