import { execFile } from 'node:child_process';
import { accessSync, constants, readdirSync, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first executable file of that name in the folders. */
export function findIn(folders: readonly string[], program: string): string | undefined {
  for (const folder of folders) {
    const path = join(folder, program);
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return realpathSync(path);
    } catch {
      continue; // not there, or not ours to run
    }
  }
  return undefined;
}

/** The folders of PATH, and those where system programs live that a plain user's PATH often lacks. */
export function searchPath(): string[] {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...new Set([...path, '/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'])];
}

export const findProgram = (program: string): string | undefined => findIn(searchPath(), program);

/** The folder's entries, or none if it can't be read. */
export function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  readonly timeoutMs?: number;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
}

/** Runs a program to its end. Never throws: a program that can't be started has code 127, one that took too long 124. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return new Promise((resolve) => {
    const settings = {
      env: options.env ?? process.env,
      timeout: options.timeoutMs ?? 60_000,
      maxBuffer: 16 * 1024 * 1024,
      killSignal: 'SIGKILL' as const,
      cwd: options.cwd ?? '/',
      ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.gid }),
    };
    const child = execFile(program, [...args], settings, (error, stdout, stderr) => {
      if (!error) return resolve({ code: 0, stdout, stderr });
      const code = typeof error.code === 'number' ? error.code : error.killed ? 124 : 127;
      resolve({ code, stdout, stderr: stderr === '' ? error.message : stderr });
    });
    child.stdin?.on('error', () => undefined); // a program may end without reading what it is given
    child.stdin?.end(options.input ?? '');
  });
}

/** The last lines of a program's output, without empty ones. */
export const lastLines = (text: string, count = 15): string[] =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .slice(-count);
