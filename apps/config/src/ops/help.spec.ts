import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RetentionSettings } from '../retention/retention-settings.js';
import { overview } from './help.js';
import { findInstallation, NAMING } from './installation.js';
import type { OpsCommand } from './ops-command.js';

it.each(NAMING)('the help tells that %s names an installation, as it does', (name) => {
  const command: OpsCommand = { name: 'look', takes: [], summary: 'looks', run: () => Promise.resolve(0) };
  expect(overview([command])).toContain(name);
  expect(findInstallation({ [name]: 'something' }, '/nowhere').source).toBe('the environment');
});

it('beside the installation of `npm start` a wrong setting may also be one of the environment, and that is said', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ops-stack-'));
  try {
    mkdirSync(join(folder, '.local'));
    const file = join(folder, '.local', 'stack.json');
    writeFileSync(file, '{}');
    const installation = findInstallation({ RESTORED_AT: 'yesterday' }, folder);
    expect(() => installation.settings(RetentionSettings)).toThrow(
      expect.objectContaining({ advice: expect.stringContaining(`correct it in ${file} or in the environment;`) }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
