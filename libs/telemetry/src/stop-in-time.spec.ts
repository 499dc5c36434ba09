import { describe, expect, it, vi } from 'vitest';
import { stopInTime } from './stop-in-time.js';

const logger = () => ({ warn: vi.fn(), debug: vi.fn() });

describe('stopInTime', () => {
  it('goes on without a part that never ends, and says which', async () => {
    const said = logger();
    await stopInTime(said, 'the database', () => new Promise(() => undefined), 5);
    expect(said.warn).toHaveBeenCalledWith({ part: 'the database', withinMs: 5 }, expect.stringContaining('goes on'));
  });

  it('says nothing of a part that ends in time, and throws what that throws', async () => {
    const said = logger();
    await stopInTime(said, 'the database', () => Promise.resolve(), 1_000);
    const failing = stopInTime(said, 'the database', () => Promise.reject(new Error('no')), 1_000);
    await expect(failing).rejects.toThrow('no');
    expect(said.warn).not.toHaveBeenCalled();
  });

  it('lets nobody hear of what fails after its time but the log', async () => {
    const said = logger();
    let fail = (_: Error): void => undefined;
    await stopInTime(said, 'the database', () => new Promise((_, reject) => (fail = reject)), 1);
    fail(new Error('late'));
    await vi.waitFor(() => expect(said.debug).toHaveBeenCalled());
  });
});
