import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { idsOf, type Account } from '../provide/account.js';
import { LocalFailure, reasonOf } from '../failure.js';
import type { PostgresPrograms } from './postgres-programs.js';
import { lastLines, run, type Finished } from '../provide/programs.js';

/** Owns the tables and may make further databases. */
export const ROLE = 'form_webhooks';
/** What config runs as: it may read and write rows, and change no table. */
export const RUNTIME_ROLE = 'form_webhooks_config';
export const DATABASE = 'form_webhooks';

/** Only the roles, only with their passwords. The superuser has none and can't log in at all. */
const WHO_MAY_CONNECT = [ROLE, RUNTIME_ROLE].map((role) => `host all ${role} 127.0.0.1/32 scram-sha-256\n`).join('');

/** The passwords of the roles. */
export interface RolePasswords {
  readonly password: string;
  readonly runtimePassword: string;
}

const ENVIRONMENT_KEPT = ['PATH', 'TMPDIR', 'TZ'];

/** What PostgreSQL's programs get of the environment: none of the PG… variables that would point them elsewhere. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  const kept = ENVIRONMENT_KEPT.flatMap((name) => (process.env[name] ? [[name, process.env[name]] as const] : []));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', LANG: 'C' };
}

/**
 * Makes the data folder with one database and two roles that may log in over the network, with passwords. None is a
 * superuser: what the product does needs none, and a database on a shared machine should not hand out its owner's files.
 *
 * It is made beside its final place and moved there complete, so that a kill in between leaves nothing half made.
 */
export async function makeCluster(
  data: string,
  { password, runtimePassword }: RolePasswords,
  programs: PostgresPrograms,
  account: Account,
): Promise<void> {
  const draft = `${data}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  if (account.uid !== undefined) chownSync(draft, account.uid, account.gid!);
  const settings = ['--username=postgres', '--auth=reject', '--encoding=UTF8', '--locale=C', '--no-sync'];
  const made = await runAs(account, programs.initdb, [`--pgdata=${draft}/data`, ...settings]);
  if (made.code !== 0) throw clusterFailure(data, made);
  const fresh = join(draft, 'data');
  writeFileSync(join(fresh, 'pg_hba.conf'), WHO_MAY_CONNECT);
  const owner = `CREATE ROLE ${ROLE} LOGIN CREATEDB PASSWORD '${password}';\nCREATE DATABASE ${DATABASE} OWNER ${ROLE};\n`;
  await runSql(fresh, `${owner}${runtimeRole(runtimePassword)}`, programs, account);
  try {
    renameSync(fresh, data);
  } catch (thrown) {
    throw new LocalFailure(`PostgreSQL's data can't be moved to ${data}: ${reasonOf(thrown)}.`);
  }
  rmSync(draft, { recursive: true, force: true });
}

/** Gives the data of an earlier version, whose server does not run, the role that config runs as. */
export async function addRuntimeRole(
  data: string,
  password: string,
  programs: PostgresPrograms,
  account: Account,
): Promise<void> {
  await runSql(data, runtimeRole(password), programs, account);
  writeFileSync(join(data, 'pg_hba.conf'), WHO_MAY_CONNECT);
}

/** Also where a start that was killed has made it already. A statement a line: so a server without a network reads. */
const runtimeRole = (password: string): string =>
  `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${RUNTIME_ROLE}') THEN CREATE ROLE ${RUNTIME_ROLE}; END IF; END $$;\n` +
  `ALTER ROLE ${RUNTIME_ROLE} LOGIN PASSWORD '${password}';\n`;

async function runSql(data: string, sql: string, programs: PostgresPrograms, account: Account): Promise<void> {
  const single = ['--single', '-D', data, '-c', 'exit_on_error=true', '-c', 'password_encryption=scram-sha-256'];
  const finished = await runAs(account, programs.postgres, [...single, 'postgres'], sql);
  if (finished.code !== 0) throw clusterFailure(data, finished);
}

function runAs(account: Account, program: string, args: readonly string[], input?: string): Promise<Finished> {
  const [command, ...rest] = [...account.prefix, program, ...args];
  return run(command!, rest, {
    env: postgresEnvironment(),
    timeoutMs: 120_000,
    ...idsOf(account),
    ...(input === undefined ? {} : { input }),
  });
}

const clusterFailure = (data: string, finished: Finished): LocalFailure =>
  new LocalFailure(
    `PostgreSQL's data folder ${data} can't be made or filled (exit code ${finished.code}).`,
    'See the last lines below; a full or read-only disk is the usual reason.',
    lastLines(`${finished.stdout}\n${finished.stderr}`),
  );

/** The major version that the data were made by; undefined if there are none. */
export function clusterVersion(data: string): string | undefined {
  const file = join(data, 'PG_VERSION');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}
