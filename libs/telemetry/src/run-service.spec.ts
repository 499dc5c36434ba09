import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Logger } from './logging/logger.js';
import { runService } from './run-service.js';

const logger = { info: vi.fn(), error: vi.fn(), fatal: vi.fn(), flush: (done: () => void) => done() };

/** Keeps what is registered for a signal from the process, and the process from its end. */
function processOfTest() {
  const handlers = new Map<string | symbol, (name: string) => void>();
  vi.spyOn(process, 'on').mockImplementation((name, handler) => {
    handlers.set(name, handler as (name: string) => void);
    return process;
  });
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  return { exit, signal: (name: string) => handlers.get(name)!(name) };
}

afterEach(() => void vi.restoreAllMocks());

describe('a service that is told to end while it starts', () => {
  it('ends with 0 at once if its start gives up what it waits for', async () => {
    const { exit, signal } = processOfTest();
    const running = runService(
      logger as unknown as Logger,
      (ending) => new Promise((_, reject) => ending.addEventListener('abort', () => reject(ending.reason as Error))),
    );
    signal('SIGTERM');
    await running;
    await vi.waitFor(() => expect(exit.mock.calls).toEqual([[0]]));
  });

  it('ends with 1 if its start fails for another reason', async () => {
    const { exit, signal } = processOfTest();
    let fail!: (error: Error) => void;
    const running = runService(logger as unknown as Logger, () => new Promise((_, reject) => (fail = reject)));
    signal('SIGTERM');
    fail(new Error('the database is away'));
    await running;
    await vi.waitFor(() => expect(exit.mock.calls).toEqual([[1]]));
  });

  it('is stopped once it has started', async () => {
    const { exit, signal } = processOfTest();
    const stop = vi.fn(() => Promise.resolve());
    const running = runService(logger as unknown as Logger, () => Promise.resolve({ healthUrl: 'http://h', stop }));
    signal('SIGTERM');
    await running;
    await vi.waitFor(() => expect(exit.mock.calls).toEqual([[0]]));
    expect(stop).toHaveBeenCalledOnce();
  });
});
