import type { DataSource, Transaction } from '@form-webhooks/storage';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LogReads } from './log-reads.js';

describe('searches in the log', () => {
  const NOW = new Date('2026-11-29T07:30:00Z');
  const query = vi.fn((_sql: string, _values: readonly string[]) => Promise.resolve([{ now: NOW }]));
  let connections: number;
  let reads: LogReads;

  beforeEach(() => {
    query.mockClear();
    connections = 0;
    const transaction = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
      connections++;
      return work({ query, connection: { options: {} } } as unknown as Transaction).finally(() => connections--);
    };
    reads = new LogReads({ transaction } as unknown as DataSource);
  });

  /** Searches that go on until the test ends them. */
  function search(workspace: string, count: number) {
    const ends: (() => void)[] = [];
    const work = () => new Promise<void>((resolve) => ends.push(resolve));
    return { ends, all: Array.from({ length: count }, () => reads.read(workspace, work)) };
  }

  it('of a workspace take a few connections, however many come at once, and none of them is refused', async () => {
    const { ends, all } = search('ws_busy', 60);
    await vi.waitFor(() => expect(ends).toHaveLength(4));
    expect(connections).toBe(4);
    expect(await reads.read('ws_other', () => Promise.resolve('found'))).toBe('found');
    for (let done = 0; done < 60; done++) {
      await vi.waitFor(() => expect(ends.length).toBeGreaterThan(done));
      expect(connections).toBeLessThanOrEqual(4);
      ends[done]!();
    }
    await Promise.all(all);
    expect(connections).toBe(0);
  });

  it('may take a few seconds each, or as much less as is said', async () => {
    await reads.read('ws_1', () => Promise.resolve());
    await reads.read('ws_1', () => Promise.resolve(), 500);
    expect(query.mock.calls).toEqual([
      [expect.stringContaining(`set_config('statement_timeout', $1, true)`), ['5000']],
      [expect.stringContaining(`set_config('statement_timeout', $1, true)`), ['500']],
    ]);
  });

  it('are told the moment of the database, and ask nothing more for it', async () => {
    expect(await reads.read('ws_1', (_tx, now) => Promise.resolve(now))).toBe(NOW);
    expect(query).toHaveBeenCalledTimes(1);
  });
});
