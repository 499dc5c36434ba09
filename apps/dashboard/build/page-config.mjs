import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileMessage } from '@lingui/message-utils/compileMessage';

/** The page and its first view, which the browser fetches together with the entry instead of after it. */
export const EARLY = ['src/page.tsx', 'src/endpoints/endpoints-view.tsx'];

/** The file that runs first, while the others are still read: it imports none of them. */
const ENTER = 'enter';
const ENTER_FILES = /\/src\/(?:session\/enter|api\/own-page|api\/fetch-in-time)\.ts$/;

/** How Vite builds the page: for config's origin, without anything inline. */
export const pageConfig = (root) => ({
  root,
  configFile: false,
  logLevel: 'warn',
  base: '/dashboard/',
  resolve: { conditions: ['@form-webhooks/source', 'browser', 'module', 'import', 'default'] },
  plugins: [catalogues(), earlyPage()],
  build: {
    target: 'es2023',
    manifest: true,
    // Nothing inline: neither a data: URL nor the polyfill's script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
    rolldownOptions: {
      output: { codeSplitting: { groups: groups() } },
      // Said of every file that a server could have rendered too; there is no server that renders.
      onLog: (level, log, handle) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : handle(level, log)),
    },
  },
});

/** Texts are compiled here, so that the page needs no compiler of messages. */
function catalogues() {
  return {
    name: 'catalogues',
    enforce: 'pre',
    load(id) {
      if (!/\/src\/text\/[a-z]{2}\.json$/.test(id)) return null;
      const texts = Object.entries(JSON.parse(readFileSync(id, 'utf8')));
      const compiled = Object.fromEntries(texts.map(([name, text]) => [name, compileMessage(text)]));
      return { code: `export default ${JSON.stringify(compiled)};`, moduleType: 'js' };
    },
  };
}

/** The files that scripts come in. */
const groups = () => [
  { name: ENTER, test: ENTER_FILES, priority: 1 },
  { debugName: 'first view', name: fileOf() },
];

/** Names the early files in the document, and lets the first one run before the entry. */
function earlyPage() {
  return {
    name: 'early-page',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
        const wanted = new Set();
        const add = (chunk) => {
          if (wanted.has(chunk.fileName)) return;
          wanted.add(chunk.fileName);
          chunk.imports.forEach((name) => add(bundle[name]));
        };
        for (const path of EARLY) add(chunks.find(({ facadeModuleId: id }) => id?.endsWith(path)));
        const enter = chunks.find(({ name }) => name === ENTER).fileName;
        const missing = [...wanted].filter((file) => !html.includes(file));
        return [
          {
            tag: 'script',
            attrs: { type: 'module', crossorigin: true, src: `/dashboard/${enter}` },
            injectTo: 'head-prepend',
          },
          ...missing.map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/dashboard/${file}` },
            injectTo: 'head',
          })),
        ];
      },
    },
  };
}

/**
 * The file that a module comes in: what the entry needs, then all of the page and its first view. Left to itself the
 * bundler makes a file for each set of views that share something, and two dozen files cost more than their contents.
 */
function fileOf() {
  const [entry, ...early] = ['src/main.tsx', ...EARLY].map((path) => join(import.meta.dirname, '..', path));
  let reached;
  return (id, modules) => {
    // All modules are known before the first one's file is asked for.
    reached ??= { begin: reachedFrom([entry], modules), shared: reachedFrom(early, modules) };
    // What is asked for by its name keeps a file of its own.
    if ([entry, ...early].includes(id)) return null;
    return Object.keys(reached).find((file) => reached[file].has(id)) ?? null;
  };
}

/** What these modules import, and what that imports, at once. */
function reachedFrom(roots, modules) {
  const found = new Set();
  const walk = (id) => {
    if (found.has(id)) return;
    found.add(id);
    modules.getModuleInfo(id)?.importedIds.forEach(walk);
  };
  roots.forEach(walk);
  return found;
}
