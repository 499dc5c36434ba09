import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { takeLock } from '../../prepare/lock.mjs';
import { isAlive, startOf } from '../../prepare/process-identity.mjs';

const folder = mkdtempSync(join(tmpdir(), 'form-webhooks-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the lock of a checkout', () => {
  it('is held by one, and free again when released', () => {
    const file = join(folder, 'one', 'start.lock');
    const first = takeLock(file);
    expect(takeLock(file)).toEqual({ heldBy: process.pid });
    first.release!();
    expect(existsSync(file)).toBe(false);
    takeLock(file).release!();
  });

  it.each([
    ['a process that is gone', JSON.stringify({ pid: 2 ** 22 + 1, started: 'x' })],
    ['another process with the same number', JSON.stringify({ pid: process.pid, started: 'earlier' })],
    ['a writer that was killed', '{"pid":'],
    ['nobody', ''],
  ])('left by %s is taken over', (_case, text) => {
    const file = join(folder, 'stale.lock');
    writeFileSync(file, text);
    const lock = takeLock(file);
    expect(lock.heldBy).toBeUndefined();
    lock.release!();
    expect(readdirSync(folder).filter((name) => name.startsWith('stale'))).toEqual([]);
  });

  it('says what to do where it can not be read or written, and does not try for ever', () => {
    // Also for root, whom no mode keeps from reading a file.
    const unreadable = join(folder, 'unreadable.lock');
    mkdirSync(unreadable);
    expect(() => takeLock(unreadable)).toThrow(/unreadable\.lock can't be taken: .*\nGive this user the right/);
    writeFileSync(join(folder, 'file'), '');
    expect(() => takeLock(join(folder, 'file', 'start.lock'))).toThrow(/can't be taken: .*\nGive this user the right/);
  });
});

describe('the identity of a process', () => {
  it('is the same as long as it runs, and gone with it', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const identity = { pid: child.pid!, started: startOf(child.pid!)! };
    expect(identity.started).toBeTruthy();
    expect(isAlive(identity)).toBe(true);
    expect(isAlive({ ...identity, started: `${identity.started}0` })).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isAlive(identity)).toBe(false);
  });

  it.each([0, -1, 1.5, NaN])('does not exist for %d', (pid) => {
    expect(startOf(pid)).toBeUndefined();
  });
});
