import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { LocalFailure } from '../failure.js';
import { readIfThere } from '../state/files.js';
import { findProgram, lastLines, run, type Finished } from './programs.js';

const INSTALL_TIMEOUT_MS = 15 * 60_000;
const OTHER_MANAGERS: readonly (readonly [program: string, command: string])[] = [
  ['dnf', 'dnf install'],
  ['yum', 'yum install'],
  ['apk', 'apk add'],
  ['pacman', 'pacman -S'],
  ['zypper', 'zypper install'],
  ['brew', 'brew install'],
];

/** Files that keep Debian's packages from starting servers or making a database of their own while they are installed. */
const OURS = '# form-webhooks: only while packages are installed';
const BRAKES: readonly Brake[] = [
  // Asked before any service is started; 101 means "not allowed".
  { path: '/usr/sbin/policy-rc.d', text: `#!/bin/sh\n${OURS}\nexit 101\n`, mode: '755' },
  // Read from a folder that the package's own file includes, so that file stays as it is shipped.
  {
    path: '/etc/postgresql-common/createcluster.d/form-webhooks.conf',
    text: `${OURS}\ncreate_main_cluster = false\n`,
    mode: '644',
  },
];

interface Brake {
  readonly path: string;
  readonly text: string;
  readonly mode: string;
}

export interface Missing {
  /** The product's name, for sentences. */
  readonly product: string;
  /** The Debian package, installed by apt-get. */
  readonly packageName: string;
  /** The variable that names one of one's own instead. */
  readonly variable: string;
}

export type Say = (line: string) => void;

let installing: Promise<void> = Promise.resolve();

/**
 * Installs a server or a program with the system's package manager, without starting its service. One at a time.
 * @throws LocalFailure that says what to do by hand
 */
export function installPackage(missing: Missing, say: Say): Promise<void> {
  const turn = installing.then(() => install(missing, say));
  installing = turn.catch(() => undefined);
  return turn;
}

/**
 * Resolves when no installation is under way: a process that ends before would leave the files behind that keep
 * services from starting.
 */
export const installationsSettled = (): Promise<void> => installing;

async function install(missing: Missing, say: Say): Promise<void> {
  const aptGet = findProgram('apt-get');
  if (aptGet === undefined) throw cannotInstall(missing, otherManager(missing.packageName));
  const sudo = await becomingRoot(missing);
  say(
    `${missing.product} is not installed: installing the package ${missing.packageName} (its service is not started)`,
  );
  const undo: (() => Promise<void>)[] = [];
  try {
    for (const brake of BRAKES) undo.push(await applyBrake(brake, sudo));
    await aptInstall(aptGet, sudo, missing);
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** What goes before a command to run it as root: nothing for root itself, else a sudo that doesn't ask. */
async function becomingRoot(missing: Missing): Promise<readonly string[]> {
  if (process.getuid?.() === 0) return [];
  const sudo = findProgram('sudo');
  if (sudo !== undefined && (await run(sudo, ['-n', 'true'])).code === 0) return [sudo, '-n'];
  const why = sudo === undefined ? 'there is no sudo' : 'sudo asks for a password';
  throw cannotInstall(missing, `This user may not install packages and ${why}`);
}

async function aptInstall(aptGet: string, sudo: readonly string[], missing: Missing): Promise<void> {
  // Without `update` a fresh machine knows no packages, and a stale list names files that the mirror no longer has.
  const updated = await asRoot(sudo, aptGet, ['-qq', 'update']);
  const lock = ['-o', 'DPkg::Lock::Timeout=120'];
  const keepFiles = ['-o', 'Dpkg::Options::=--force-confdef', '-o', 'Dpkg::Options::=--force-confold'];
  const args = ['-qq', '-y', '--no-install-recommends', ...lock, ...keepFiles, 'install', missing.packageName];
  const installed = await asRoot(sudo, aptGet, args);
  if (installed.code === 0) return;
  // A list that could not be fetched is only a warning to apt-get, and often the reason.
  const output = [...lastLines(updated.stderr, 5), ...outputOf(installed)];
  throw cannotInstall(missing, `apt-get install ${missing.packageName} failed (exit code ${installed.code})`, output);
}

function asRoot(sudo: readonly string[], program: string, args: readonly string[], input?: string): Promise<Finished> {
  const [command, ...rest] = [...sudo, program, ...args];
  // `env` is used under sudo, which drops the environment.
  const quiet = { DEBIAN_FRONTEND: 'noninteractive', DEBCONF_NONINTERACTIVE_SEEN: 'true', NEEDRESTART_MODE: 'l' };
  const withEnv = sudo.length === 0 ? [] : ['env', ...Object.entries(quiet).map(([name, value]) => `${name}=${value}`)];
  const line = sudo.length === 0 ? [command!, ...rest] : [...sudo, ...withEnv, program, ...args];
  const env = { ...process.env, ...quiet };
  return run(line[0]!, line.slice(1), {
    env,
    timeoutMs: INSTALL_TIMEOUT_MS,
    ...(input === undefined ? {} : { input }),
  });
}

/** Puts such a file in place unless the machine has one of its own. Returns what removes it again. */
async function applyBrake(brake: Brake, sudo: readonly string[]): Promise<() => Promise<void>> {
  // One that a killed start left is taken over, and away at the end.
  const theirs = existsSync(brake.path) && !(readIfThere(brake.path) ?? '').includes(OURS);
  if (theirs) return () => Promise.resolve();
  const done = [
    await asRoot(sudo, 'mkdir', ['-p', dirname(brake.path)]),
    await asRoot(sudo, 'tee', [brake.path], brake.text),
    await asRoot(sudo, 'chmod', [brake.mode, brake.path]),
  ];
  const failed = done.find((step) => step.code !== 0);
  if (failed) {
    throw new LocalFailure(
      `The file ${brake.path} can't be written. It keeps the package from starting a service.`,
      'Install the server by hand, then start again.',
      outputOf(failed),
    );
  }
  return async () => void (await asRoot(sudo, 'rm', ['-f', brake.path]));
}

const outputOf = (finished: Finished): string[] => lastLines(`${finished.stdout}\n${finished.stderr}`);

function otherManager(packageName: string): string {
  const found = OTHER_MANAGERS.find(([program]) => findProgram(program) !== undefined);
  return found
    ? `There is no apt-get here; with this system's package manager it is something like \`${found[1]} ${packageName}\``
    : 'There is no package manager here that this program knows';
}

function cannotInstall(missing: Missing, why: string, output: readonly string[] = []): LocalFailure {
  return new LocalFailure(
    `${missing.product} is needed and not installed. ${why}.`,
    `Install it (Debian, Ubuntu: \`apt-get install ${missing.packageName}\`; its service need not run), ` +
      `or set ${missing.variable} to one of your own, then start again.`,
    output,
  );
}
