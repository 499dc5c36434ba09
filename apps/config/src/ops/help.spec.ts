import { expect, it } from 'vitest';
import { overview } from './help.js';
import { findInstallation, NAMING } from './installation.js';
import type { OpsCommand } from './ops-command.js';

it.each(NAMING)('the help tells that %s names an installation, as it does', (name) => {
  const command: OpsCommand = { name: 'look', takes: [], summary: 'looks', run: () => Promise.resolve(0) };
  expect(overview([command])).toContain(name);
  expect(findInstallation({ [name]: 'something' }, '/nowhere').source).toBe('the environment');
});
