// `npm start`. Plain JavaScript: it runs on a fresh clone, before anything is installed or built.
//
// `npm start -- --observe` runs a Prometheus beside the stack.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeLock } from './prepare/lock.mjs';
import { build, checkNode, installDependencies, PreparationFailure } from './prepare/prepare.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
process.exit(await main());

async function main() {
  const asked = process.argv.slice(2);
  const unknown = asked.find((argument) => argument !== '--observe');
  if (unknown !== undefined) {
    console.error(`There is no option "${unknown}". Run \`npm start\` or \`npm start -- --observe\`.`);
    return 2;
  }
  try {
    checkNode(root);
    const lock = takeLock(join(root, '.local', 'start.lock'));
    if (lock.heldBy) {
      console.error(
        `This folder's stack is running already (process ${lock.heldBy}); its addresses are in .local/stack.json. ` +
          'Stop it with Ctrl-C where it was started, then start again.',
      );
      return 1;
    }
    try {
      await installDependencies(root, console.log);
      await build(root, console.log);
      const { start } = await import('./dist/start.js');
      return await start(root, asked.includes('--observe'));
    } finally {
      lock.release();
    }
  } catch (thrown) {
    console.error(thrown instanceof PreparationFailure ? thrown.message : thrown);
    return 1;
  }
}
