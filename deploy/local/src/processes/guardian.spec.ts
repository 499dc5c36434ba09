import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startOf } from '../../prepare/process-identity.mjs';

const SCRIPT = fileURLToPath(new URL('../../prepare/guardian.mjs', import.meta.url));

/** A guardian that is told something and then loses its parent: the pipe between them closes. */
async function orphanedAfter(messages: readonly object[]): Promise<void> {
  const guardian = spawn(process.execPath, [SCRIPT], { stdio: ['pipe', 'ignore', 'inherit'] });
  guardian.stdin.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  await once(guardian, 'exit');
}

async function sleeper(code = ''): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', `${code}; setInterval(() => {}, 1000); console.log('up')`]);
  await once(child.stdout, 'data');
  return child;
}

const watch = (child: ChildProcess, started = startOf(child.pid!)): object => ({
  watch: { pid: child.pid, started, signal: 'SIGTERM', graceMs: 1_500 },
});

describe('the guardian', () => {
  it('ends what it watches when its parent dies, by force if need be, and removes what is to go', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'form-webhooks-guardian-'));
    const [orderly, stubborn] = [await sleeper(), await sleeper("process.on('SIGTERM', () => {})")];
    const ends = [once(orderly, 'exit'), once(stubborn, 'exit')];
    await orphanedAfter([watch(orderly), watch(stubborn), { remove: folder }]);
    expect(await Promise.all(ends)).toEqual([
      [null, 'SIGTERM'],
      [null, 'SIGKILL'],
    ]);
    expect(existsSync(folder)).toBe(false);
  });

  it('leaves alone what it was told to forget, what it never watched, and what only has the same number', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'form-webhooks-guardian-'));
    const [forgotten, another] = [await sleeper(), await sleeper()];
    await orphanedAfter([
      watch(forgotten),
      { forget: forgotten.pid },
      watch(another, 'earlier'),
      { remove: folder },
      { keep: folder },
    ]);
    expect(existsSync(folder)).toBe(true);
    for (const child of [forgotten, another]) {
      expect(startOf(child.pid!)).toBeTruthy();
      child.kill('SIGKILL');
    }
    rmSync(folder, { recursive: true });
  });
});
