import { existsSync } from 'node:fs';
import { LocalFailure } from '../failure.js';
import { installPackage, type Say } from './install-packages.js';
import { findProgram } from './programs.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const firstFound = (): string | undefined => NAMES.map(findProgram).find((path) => path !== undefined);

/**
 * The browser for the dashboard's tests: the one that `CHROMIUM_PATH` names, one that is installed, or Debian's.
 * @throws LocalFailure that says what to do by hand
 */
export async function chromiumProgram(say: Say, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const named = env['CHROMIUM_PATH'];
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named;
    throw new LocalFailure(`CHROMIUM_PATH names ${named}, where there is nothing.`, 'Correct it, or unset it.');
  }
  const found = firstFound();
  if (found !== undefined) return found;
  await installPackage({ product: 'Chromium', packageName: 'chromium', variable: 'CHROMIUM_PATH' }, say);
  const installed = firstFound();
  if (installed !== undefined) return installed;
  throw new LocalFailure('Chromium was not found.', 'Install it, or set CHROMIUM_PATH to a browser of its family.');
}
