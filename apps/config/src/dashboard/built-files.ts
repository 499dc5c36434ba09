import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** In the order in which they are preferred; the build leaves a compressed file beside each that gains by it. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A file of the dashboard, held in memory in each of its encodings. */
export interface BuiltFile {
  readonly mediaType: string;
  readonly etag: string;
  /** By `Content-Encoding`, the best first; the last is the file as it is, under `identity`. */
  readonly bodies: ReadonlyMap<string, Buffer>;
  /** Its name has a hash of its content: it never changes. */
  readonly isImmutable: boolean;
}

/**
 * Every file of the built dashboard by its path below the folder. They are read once and served from memory, so that no
 * path of a request ever reaches the disk.
 */
export function readBuiltFiles(folder: string): ReadonlyMap<string, BuiltFile> {
  if (!existsSync(join(folder, 'index.html'))) return new Map();
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const served = paths.filter((path) => MEDIA_TYPES[extname(path)] !== undefined);
  return new Map(served.map((path) => [path, readBuiltFile(folder, path)]));
}

function readBuiltFile(folder: string, path: string): BuiltFile {
  const plain = readFileSync(join(folder, path));
  const compressed = ENCODINGS.filter(([, ending]) => existsSync(join(folder, `${path}${ending}`)));
  return {
    mediaType: MEDIA_TYPES[extname(path)]!,
    etag: `"${createHash('sha256').update(plain).digest('base64url')}"`,
    bodies: new Map([
      ...compressed.map(([name, ending]) => [name, readFileSync(join(folder, `${path}${ending}`))] as const),
      ['identity', plain] as const,
    ]),
    isImmutable: path.startsWith('assets/'),
  };
}
