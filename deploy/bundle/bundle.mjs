// Makes one file of a built service and of all that it needs: dist/bundle/main.js of the app in whose folder it runs,
// with a few more for what only some installations load, such as tracing. Node reads, resolves and compiles some thousand
// files of packages one by one otherwise: half of the CPU time of a start [docs/decisions/0046-one-file-a-service.md].
//
// Plain JavaScript, the last step of each service's build (its package.json).
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { leanMap } from './lean-map.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const app = process.cwd();
const folder = join(app, 'dist/bundle');

/** It finds the files that it serves beside its own, which a bundle has moved. */
const READS_ITS_FOLDER = /^swagger-ui-dist(\/|$)/;

rmSync(folder, { recursive: true, force: true });
const bundle = await rolldown({
  input: join(app, 'dist/main.js'),
  platform: 'node',
  external: READS_ITS_FOLDER,
  plugins: [mapsOfWorkspace()],
  // Others' packages are not ours to mend; Nest and TypeORM try whether some are installed, and go on without them.
  onLog: (level, log, say) => {
    if (level !== 'warn' || isOfWorkspace(log.id ?? '')) say(level, log);
  },
});
await bundle.write({
  dir: folder,
  format: 'esm',
  entryFileNames: 'main.js',
  chunkFileNames: '[name]-[hash].js',
  sourcemap: true,
  // Nest finds providers by their classes, and log lines name them.
  keepNames: true,
});
await bundle.close();
// Of each file, also of those that only some installations load.
for (const file of readdirSync(folder).filter((name) => name.endsWith('.map'))) {
  const path = join(folder, file);
  const map = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify(leanMap(map, (source) => isOfWorkspace(join(folder, source)))));
}

/** So that a stack names the sources in TypeScript. */
function mapsOfWorkspace() {
  return {
    name: 'maps-of-workspace',
    load(id) {
      if (!isOfWorkspace(id) || !existsSync(`${id}.map`)) return null;
      return { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') };
    },
  };
}

function isOfWorkspace(id) {
  return id.startsWith(root) && !id.includes('/node_modules/');
}
