import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogOutput } from './log-output.js';

const LINE = `${'x'.repeat(1_023)}\n`;

/** A reader that reads only what it is told to, and the descriptor to write to it. */
function stalledReader(): { readonly fd: number; readonly reader: ChildProcess } {
  const reader = spawn('sleep', ['60'], { stdio: ['pipe', 'ignore', 'ignore'] });
  onTestFinished(() => void reader.kill('SIGKILL'));
  reader.stdin.on('error', () => undefined);
  return { fd: (reader.stdin as unknown as { _handle: { fd: number } })._handle.fd, reader };
}

const flushed = (output: LogOutput): Promise<void> => new Promise((resolve) => output.flush(resolve));

/** A file to write to, and what stands in it. */
function logFile(): { readonly fd: number; readonly read: () => string } {
  const folder = mkdtempSync(join(tmpdir(), 'log-output-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const fd = openSync(join(folder, 'log'), 'w');
  onTestFinished(() => closeSync(fd));
  return { fd, read: () => readFileSync(join(folder, 'log'), 'utf8') };
}

const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the output of the log', () => {
  it('gathers lines for 50 ms', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { fd, read } = logFile();
    const output = new LogOutput(fd, {});
    for (const line of ['one\n', 'two\n']) {
      output.write(line);
      await turnOfTheLoop();
    }
    vi.advanceTimersByTime(49);
    for (let turns = 0; turns < 20; turns += 1) await turnOfTheLoop();
    expect(read()).toBe('');
    vi.advanceTimersByTime(1);
    while (read() === '') await turnOfTheLoop();
    expect(read()).toBe('one\ntwo\n');
  });

  it('writes an urgent line at once, with what was said before and in the same turn, and 64 KiB too', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { fd, read } = logFile();
    const output = new LogOutput(fd, {});
    output.write('before\n');
    await turnOfTheLoop();
    output.write('urgent\n', true);
    output.write('after\n');
    while (read() === '') await turnOfTheLoop();
    expect(read()).toBe('before\nurgent\nafter\n');
    await flushed(output);
    for (let n = 0; n < 64; n += 1) output.write(LINE);
    while (read().length < 65_536) await turnOfTheLoop();
  });

  it('writes every line, in order', async () => {
    const { fd, read } = logFile();
    const output = new LogOutput(fd, {});
    const lines = Array.from({ length: 5_000 }, (_, n) => `line ${n} ż\n`);
    for (const [n, line] of lines.entries()) {
      output.write(line);
      if (n % 1_000 === 0) await flushed(output);
    }
    await flushed(output);
    expect(read()).toBe(lines.join(''));
  });

  it('waits for no reader, keeps a bounded number of lines, and is done once the reader is gone', async () => {
    const { fd, reader } = stalledReader();
    const output = new LogOutput(fd, {});
    for (let n = 0; n < 20_000; n += 1) output.write(LINE);
    const heldBytes = (): number => (output as unknown as { waitingBytes: number }).waitingBytes;
    expect(heldBytes()).toBeLessThanOrEqual(4 * 1024 * 1024);
    // The event loop goes on meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 100));
    reader.kill('SIGKILL');
    await flushed(output);
    output.write(LINE);
    await vi.waitFor(() => expect(heldBytes()).toBe(0));
  });

  it('says how many lines were lost where they are missing', async () => {
    const reader = spawn('sh', ['-c', 'sleep 1; cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
    onTestFinished(() => void reader.kill('SIGKILL'));
    let read = '';
    reader.stdout.setEncoding('utf8').on('data', (text: string) => (read += text));
    const about = { app: 'ingest', replica: 'a:1', version: '1.2.3' };
    const output = new LogOutput((reader.stdin as unknown as { _handle: { fd: number } })._handle.fd, about);
    for (let n = 0; n < 10_000; n += 1) output.write(LINE);
    await flushed(output);
    output.write('the next\n');
    await vi.waitFor(() => expect(read).toContain('the next'), { timeout: 20_000 });
    const told = read.split('\n').filter((line) => line.startsWith('{'));
    const written = read.split('\n').filter((line) => line.startsWith('x')).length;
    // It has what every line has, or a search by service would miss just the gap.
    expect(told.map((line) => JSON.parse(line) as object)).toEqual([
      {
        ...{ ...about, level: 'warn', time: expect.any(String), event_name: 'log.lines_lost' },
        ...{ msg: expect.any(String), lost: 10_000 - written },
      },
    ]);
  });
});
