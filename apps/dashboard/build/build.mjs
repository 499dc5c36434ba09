// Builds the page: checks that the API's client is up to date, bundles, compresses, and weighs the first load.
// `node build/build.mjs --client` writes the client anew after the API has changed.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { clientText } from './client-text.mjs';
import { compressFiles } from './compress-files.mjs';
import { firstLoad, MAX_FIRST_LOAD_BYTES } from './first-load.mjs';
import { pageConfig } from './page-config.mjs';

const root = join(import.meta.dirname, '..');
const clientFile = join(root, 'src/api/generated/schema.d.ts');
const describe = join(root, '../config/dist/commands/write-openapi.js');

const document = JSON.parse(
  execFileSync(process.execPath, [describe], { maxBuffer: 64 * 1024 * 1024, encoding: 'utf8' }),
);
const wanted = await clientText(document);
if (process.argv.includes('--client')) {
  writeFileSync(clientFile, wanted);
} else {
  if (readFileSync(clientFile, 'utf8') !== wanted) {
    fail("The API has changed: run `npm run client`, look at what differs in the client's types, and commit it.");
  }
  await build(pageConfig(root));
  compressFiles(join(root, 'dist'));
  const { bytes, files } = firstLoad(join(root, 'dist'));
  console.log(`first load: ${(bytes / 1_000).toFixed(1)} KB of compressed script in ${files} files`);
  if (bytes > MAX_FIRST_LOAD_BYTES) fail(`The first load is over ${MAX_FIRST_LOAD_BYTES / 1_000} KB.`);
}

function fail(words) {
  console.error(words);
  process.exit(1);
}
