import { describe, expect, it } from 'vitest';
import { startService } from './start-service.js';

const healthUrl = 'http://127.0.0.1:9090';
const stopWithinMs = 10_000;

describe('startService', () => {
  it('tells where the service is, and stops it once however often it is asked to', async () => {
    const done: string[] = [];
    const service = await startService({
      start: async () => ({ healthUrl }),
      stop: async () => void done.push('stopped'),
      stopWithinMs,
    });
    expect(service.healthUrl).toBe(healthUrl);
    await Promise.all([service.stop(), service.stop()]);
    expect(done).toEqual(['stopped']);
  });

  it('stops what had begun when the service can not start', async () => {
    const done: string[] = [];
    const starting = startService({
      start: async () => {
        done.push('health');
        throw new Error('the database is away');
      },
      stop: async () => void done.push('stopped'),
      stopWithinMs,
    });
    await expect(starting).rejects.toThrow('the database is away');
    expect(done).toEqual(['health', 'stopped']);
  });

  it('keeps the reason for the failed start when what had begun can not be stopped either', async () => {
    const starting = startService({
      start: async () => Promise.reject(new Error('the database is away')),
      stop: async () => Promise.reject(new Error('the broker is away')),
      stopWithinMs,
    });
    await expect(starting).rejects.toMatchObject({
      errors: [new Error('the database is away'), new Error('the broker is away')],
    });
  });

  it('rejects a stop that never ends, so that the process can end', async () => {
    const service = await startService({
      start: async () => ({ healthUrl }),
      stop: () => new Promise(() => undefined),
      stopWithinMs: 5,
    });
    await expect(service.stop()).rejects.toThrow('did not stop within 5 ms');
  });
});
