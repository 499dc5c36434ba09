import { readFileSync } from 'node:fs';
import { compileMessage } from '@lingui/message-utils/compileMessage';

/** How Vite builds the page: for config's origin, without anything inline. */
export const pageConfig = (root) => ({
  root,
  configFile: false,
  logLevel: 'warn',
  base: '/dashboard/',
  resolve: { conditions: ['@form-webhooks/source', 'browser', 'module', 'import', 'default'] },
  plugins: [catalogues()],
  build: {
    target: 'es2023',
    manifest: true,
    // Nothing inline: neither a data: URL nor the polyfill's script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
    rolldownOptions: {
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
