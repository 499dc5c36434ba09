import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, LocalFailure, reasonOf } from '../failure.js';

/** A folder that only its owner can enter; one that exists already keeps its mode. */
export function makePrivateFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  } catch (thrown) {
    throw new LocalFailure(
      `The folder ${folder} can't be made: ${reasonOf(thrown)}.`,
      'Give this user the right to write there, free some space, or work from another checkout.',
    );
  }
}

/** Writes a file that only its owner can read. By rename, so that a reader never sees half of it. */
export function writePrivateFile(file: string, text: string): void {
  makePrivateFolder(dirname(file));
  const draft = `${file}.${process.pid}.draft`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    chmodSync(draft, 0o600); // the mode above is for new files only
    renameSync(draft, file);
  } catch (thrown) {
    rmSync(draft, { force: true });
    throw new LocalFailure(
      `The file ${file} can't be written: ${reasonOf(thrown)}.`,
      'Give this user the right to write there, or free some space.',
    );
  }
}

/** The text of a file, or undefined if there is none. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    throw new LocalFailure(`The file ${file} can't be read: ${reasonOf(thrown)}.`, 'Make it readable, or remove it.');
  }
}

/** The object in a JSON file, or undefined if there is none or it is damaged (what it remembers is made anew then). */
export function readJsonIfThere<T extends object>(file: string): Partial<T> | undefined {
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
