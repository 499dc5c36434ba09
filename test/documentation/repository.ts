import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

const NOT_OURS = new Set(['generated', '.git', 'package-lock.json']);

export const readText = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** What lies in a clone that was used, such as `*.log`, `dist/`, and `/secrets/` in its root alone. */
const IGNORED = readText('.gitignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

/** Whether a file or folder, by its path from the root, is part of the repository and written by people. */
export function isOurs(path: string): boolean {
  const name = basename(path);
  const isMeantBy = (pattern: string): boolean => {
    if (pattern.startsWith('*.')) return name.endsWith(pattern.slice(1));
    return pattern.startsWith('/') ? `/${path}/` === pattern : `${name}/` === pattern;
  };
  return !NOT_OURS.has(name) && !IGNORED.some(isMeantBy);
}

/**
 * Files below a folder of the repository with this ending, relative to the root. What is installed, built, generated or
 * left by a run is left out.
 */
export function filesBelow(folder: string, ending = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!isOurs(path)) return [];
    if (entry.isDirectory()) return filesBelow(path, ending);
    return entry.isFile() && entry.name.endsWith(ending) ? [path] : [];
  });
}

/** The sources that run in production: apps and libs without their specs. */
export const productionSources = (): string[] =>
  ['apps', 'libs'].flatMap((folder) => filesBelow(folder, '.ts')).filter((file) => !file.endsWith('.spec.ts'));
