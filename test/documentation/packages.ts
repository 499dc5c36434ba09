import { readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { preProcessFile } from 'typescript';
import { filesBelow, readText, ROOT } from './repository.js';

interface Manifest {
  readonly name: string;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly nx?: { readonly tags: readonly string[] };
}

/** A package of the workspace: what its package.json declares and what its files import. */
export interface WorkspacePackage {
  readonly folder: string;
  readonly manifest: Manifest;
  /** It is run from a full install alone, or bundled there, and a deployed app installs nothing of it. */
  readonly isTool: boolean;
  /** Packages that its own code imports. */
  readonly imports: ReadonlySet<string>;
  /** Packages that its specs import, and what these use. */
  readonly testImports: ReadonlySet<string>;
}

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readText(join(folder, 'package.json'))) as Manifest;

export function workspacePackages(): WorkspacePackage[] {
  const folders = readManifest('.').workspaces!.flatMap(foldersOf);
  return folders.map((folder) => {
    const manifest = readManifest(folder);
    const isTool = manifest.nx!.tags.some((tag) => ['type:tool', 'type:test', 'type:page'].includes(tag));
    const nested = folders.filter((other) => other.startsWith(`${folder}/`));
    const files = ['.ts', '.tsx', '.mjs']
      .flatMap((ending) => filesBelow(folder, ending))
      .filter((file) => !nested.some((other) => file.startsWith(`${other}/`)));
    return {
      folder,
      manifest,
      isTool,
      imports: packagesImportedBy(files.filter((file) => !isForTests(file))),
      testImports: packagesImportedBy(files.filter(isForTests)),
    };
  });
}

const isForTests = (file: string): boolean =>
  file.endsWith('.spec.ts') || file.includes('/testing/') || /^test\/(?!bench\/|survive\/)/.test(file);

function foldersOf(pattern: string): string[] {
  if (!pattern.endsWith('/*')) return [pattern];
  const parent = pattern.slice(0, -2);
  return readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`);
}

function packagesImportedBy(files: readonly string[]): ReadonlySet<string> {
  const specifiers = files.flatMap((file) =>
    preProcessFile(readText(file), true, true).importedFiles.map(({ fileName }) => fileName),
  );
  return new Set(specifiers.filter((one) => !one.startsWith('.') && !isBuiltin(one)).map(packageOf));
}

/** `@scope/name` of `@scope/name/path`, `name` of `name/path`. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
