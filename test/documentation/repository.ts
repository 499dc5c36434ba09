import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

const NOT_OURS = new Set(['node_modules', 'dist', 'generated', '.git', '.nx', '.local', 'package-lock.json']);

export const readText = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/**
 * Files below a folder of the repository with this ending, relative to the root. What is installed, built or generated
 * is left out.
 */
export function filesBelow(folder: string, ending = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path, ending);
    return entry.isFile() && entry.name.endsWith(ending) ? [path] : [];
  });
}

/** The sources that run in production: apps and libs without their specs. */
export const productionSources = (): string[] =>
  ['apps', 'libs'].flatMap((folder) => filesBelow(folder, '.ts')).filter((file) => !file.endsWith('.spec.ts'));
