import { statSync } from 'node:fs';
import { LocalFailure } from '../failure.js';
import { findProgram, run } from './programs.js';

/** How a program is run that refuses to be root. */
export interface Account {
  /** What goes before the command. */
  readonly prefix: readonly string[];
  /** Whose files its data are; undefined: those of whoever runs this. */
  readonly uid: number | undefined;
  readonly gid: number | undefined;
}

/** The numbers that Node itself must change to; none where the prefix does that. */
export const idsOf = (account: Account): { uid?: number; gid?: number } =>
  account.prefix.length > 0 || account.uid === undefined ? {} : { uid: account.uid, gid: account.gid! };

const CANDIDATES = ['postgres', '_postgres', 'nobody'];
const SELF: Account = { prefix: [], uid: undefined, gid: undefined };

/**
 * As whom a server runs that refuses to be root: this user, unless that is root.
 *
 * Root's folders often are closed to others (a temporary one has mode 0700), so the user that root becomes may not reach
 * its own data. It then keeps the one capability that lets it pass, if `setpriv` is there to arrange that.
 *
 * @param folder the folder in which its data lie
 * @param data the data themselves; if they are there already, their owner is who can use them
 */
export async function accountFor(folder: string, data: string): Promise<Account> {
  if (process.getuid?.() !== 0) return SELF;
  const owner = ownerOf(data) ?? (await firstUser());
  const setpriv = findProgram('setpriv');
  const drop = setpriv && [setpriv, '--reuid', `${owner.uid}`, '--regid', `${owner.gid}`, '--clear-groups'];
  if (!drop) return withoutSetpriv(owner, folder);
  const capability = ['--inh-caps', '+dac_override', '--ambient-caps', '+dac_override'];
  for (const prefix of [drop, [...drop, ...capability]]) {
    if (await canEnter(prefix, folder)) return { prefix, ...owner };
  }
  throw cannotEnter(owner, folder, 'this machine gives it no right to pass (the capability dac_override)');
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Node can change the user too, but gives away every capability with it. */
async function withoutSetpriv(owner: Owner, folder: string): Promise<Account> {
  const su = findProgram('su');
  const name = (await run('id', ['-un', `${owner.uid}`])).stdout.trim();
  const entered = su && (await run(su, [name, '-s', '/bin/sh', '-c', 'cd "$0"', folder])).code === 0;
  if (!entered)
    throw cannotEnter(owner, folder, 'there is no setpriv (package util-linux) to give it the right to pass');
  return { prefix: [], ...owner };
}

async function canEnter(prefix: readonly string[], folder: string): Promise<boolean> {
  const [program, ...args] = [...prefix, 'sh', '-c', 'cd "$0"', folder];
  return (await run(program, args)).code === 0;
}

function ownerOf(data: string): Owner | undefined {
  try {
    const { uid, gid } = statSync(data);
    return uid === 0 ? undefined : { uid, gid };
  } catch {
    return undefined;
  }
}

async function firstUser(): Promise<Owner> {
  for (const name of CANDIDATES) {
    const [uid, gid] = [await run('id', ['-u', name]), await run('id', ['-g', name])];
    if (uid.code === 0 && gid.code === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new LocalFailure(
    `PostgreSQL refuses to run as root, and none of the users ${CANDIDATES.join(', ')} exists to run it instead.`,
    'Add a user named postgres, or start this as a user that is not root.',
  );
}

const cannotEnter = (owner: Owner, folder: string, why: string): LocalFailure =>
  new LocalFailure(
    `PostgreSQL refuses to run as root, and user ${owner.uid}, who runs it instead, can't enter ${folder}: ${why}.`,
    'Work from a folder that every user may enter, or start this as a user that is not root.',
  );
