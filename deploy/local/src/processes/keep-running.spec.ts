import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { keepRunning } from './keep-running.js';
import { StopList } from './stop-list.js';

vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn(() => Promise.resolve()) }));

describe('keepRunning', () => {
  it('reports an unexpected end and starts again until that works', async () => {
    const stop = new AbortController();
    const said: string[] = [];
    const say = (line: string): void => void said.push(line);
    const start = vi.fn().mockRejectedValueOnce(new Error('port taken')).mockResolvedValue(undefined);
    const ended = vi
      .fn()
      .mockResolvedValueOnce(' (by SIGKILL)')
      .mockReturnValue(new Promise(() => undefined));
    void keepRunning({ name: 'ingest', ended, start, signal: stop.signal, say, pauseMs: 1 });
    await vi.waitFor(() =>
      expect(said).toEqual([
        'ingest ended unexpectedly (by SIGKILL); it is started again in 0 s',
        'ingest could not be started again: port taken',
        'ingest runs again',
      ]),
    );
  });

  it.each([
    ['doubled while it ends soon after each start', 60_000, [1, 2, 4, 8, 16, 30, 30]],
    ['the first one once it has run for long', 0, [1, 1, 1, 1, 1, 1, 1]],
  ])('makes the pause before a start %s', async (_case, steadyMs, seconds) => {
    const stop = new AbortController();
    const say = vi.fn();
    let starts = 0;
    const start = (): Promise<void> => {
      starts += 1;
      if (starts === seconds.length) stop.abort();
      return Promise.resolve();
    };
    vi.mocked(wait).mockClear();
    await keepRunning({ name: 'ingest', ended: () => Promise.resolve(''), start, signal: stop.signal, say, steadyMs });
    expect(vi.mocked(wait).mock.calls.map(([ms]) => ms)).toEqual(seconds.map((one) => 1_000 * one));
    expect(say).toHaveBeenCalledWith('ingest ended unexpectedly; it is started again in 1 s');
  });

  it('says nothing when everything stops', async () => {
    const stop = new AbortController();
    const start = vi.fn();
    const say = vi.fn();
    const ended = (): Promise<string> => (stop.abort(), Promise.resolve(''));
    await keepRunning({ name: 'ingest', ended, start, signal: stop.signal, say });
    expect(start).not.toHaveBeenCalled();
    expect(say).not.toHaveBeenCalled();
  });
});

describe('StopList', () => {
  it('stops the last first, each once, and goes on when one fails', async () => {
    const said: string[] = [];
    const order: string[] = [];
    const stops = new StopList((line) => said.push(line));
    stops.add('PostgreSQL', async () => order.push('postgres'));
    stops.add('RabbitMQ', () => Promise.reject(new Error('stuck')));
    stops.add('ingest', async () => order.push('ingest'));
    await Promise.all([stops.stop(), stops.stop()]);
    expect(order).toEqual(['ingest', 'postgres']);
    expect(said).toEqual(['RabbitMQ did not stop as it should: stuck']);
  });
});
