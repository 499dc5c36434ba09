import { describe, expect, it, vi } from 'vitest';
import { keepRunning } from './keep-running.js';
import { StopList } from './stop-list.js';

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
        'ingest ended unexpectedly (by SIGKILL); it is started again',
        'ingest could not be started again: port taken',
        'ingest runs again',
      ]),
    );
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
