// One start at a time in a checkout. Plain JavaScript, as it is taken before anything is installed or built.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PreparationFailure } from './prepare.mjs';
import { isAlive, startOf } from './process-identity.mjs';

/**
 * Takes the lock, or says which process has it. A lock whose process is gone (kill -9, a power cut) is taken over.
 * @param {string} file
 * @returns {{ release: () => void } | { heldBy: number }}
 * @throws {PreparationFailure} if its folder can't be written, or the lock of another user can't be read
 */
export function takeLock(file) {
  try {
    return lockOrHolder(file);
  } catch (thrown) {
    throw new PreparationFailure(
      `The lock ${file} can't be taken: ${thrown.message}.\n` +
        'Give this user the right to read and write there (a start as root or by another user leaves folders that are ' +
        'theirs), free some space, or work from another checkout.',
    );
  }
}

function lockOrHolder(file) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const mine = JSON.stringify({ pid: process.pid, started: startOf(process.pid) });
  for (;;) {
    try {
      writeFileSync(file, mine, { flag: 'wx', mode: 0o600 });
      return { release: () => release(file, mine) };
    } catch (thrown) {
      if (thrown.code !== 'EEXIST') throw thrown;
    }
    const text = read(file);
    const holder = parse(text);
    if (isAlive(holder)) return { heldBy: holder.pid };
    if (text !== undefined) putAside(file, text);
  }
}

/**
 * Removes a stale lock by renaming: of two starts that find it stale, only one moves it. Should the other move the fresh
 * lock of the first, it sees that and puts it back.
 */
function putAside(file, staleText) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (thrown) {
    if (thrown.code !== 'ENOENT') throw thrown;
    return; // the other one was first
  }
  if (read(aside) === staleText) return rmSync(aside, { force: true });
  renameSync(aside, file);
}

function release(file, mine) {
  if (read(file) === mine) rmSync(file, { force: true });
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    // What is there and can't be read would never be told from what has just gone.
    if (thrown.code !== 'ENOENT') throw thrown;
    return undefined;
  }
}

function parse(text) {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined; // written half: its writer died in the instant
  }
}
