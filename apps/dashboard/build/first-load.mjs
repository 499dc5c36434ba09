import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EARLY } from './page-config.mjs';

/** Of compressed script, before anything can be seen. 200 KB are promised. */
export const MAX_FIRST_LOAD_BYTES = 195_000;

/** What the browser loads before the first view shows: the entry, what it imports, one language, the first view. */
export function firstLoad(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
  const wanted = new Set();
  const add = (key) => {
    if (wanted.has(key)) return;
    wanted.add(key);
    (manifest[key].imports ?? []).forEach(add);
  };
  add('index.html');
  add('src/text/de.json');
  EARLY.forEach(add);
  const sizes = [...wanted].map((key) => statSync(join(folder, `${manifest[key].file}.gz`)).size);
  return { bytes: sizes.reduce((sum, one) => sum + one, 0), files: sizes.length };
}
