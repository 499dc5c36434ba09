import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { startOf } from '../../prepare/process-identity.mjs';
import { guardian } from './guardian.js';
import { ManagedProcess } from './managed-process.js';

it('leaves no process that it can not remember, as on a full or read-only disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'form-webhooks-managed-'));
  writeFileSync(join(folder, 'file'), '');
  const watch = vi.spyOn(guardian, 'watch');
  const started = ManagedProcess.start({
    label: 'a program',
    program: process.execPath,
    args: ['-e', 'setInterval(() => {}, 1000)'],
    env: {},
    cwd: folder,
    recordFile: join(folder, 'file', 'process.json'),
    stopSignal: 'SIGTERM',
    graceMs: 1_000,
  });
  await expect(started).rejects.toThrow(/can't be made/);
  const { pid } = watch.mock.calls[0]![0];
  expect(startOf(pid)).toBeUndefined();
  rmSync(folder, { recursive: true });
});
