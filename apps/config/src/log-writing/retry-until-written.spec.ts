import { IntakeHold, QUEUES } from '@form-webhooks/broker';
import { LogRefused, LogUnavailable, type DeliveryLogWriter } from '@form-webhooks/storage';
import { createLogger } from '@form-webhooks/telemetry';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ConfigSettings } from '../settings.js';
import { RetryUntilWritten } from './retry-until-written.js';

const BOUND_MS = 50;

const nothing = () => Promise.resolve();

function setup(write: () => Promise<never[]>, { boundMs = 60_000, probe = nothing, paused = nothing } = {}) {
  const calls: string[] = [];
  const consumers = {
    pause: (queue: string) => {
      calls.push(`pause ${queue}`);
      return paused();
    },
    resume: async (queue: string) => void calls.push(`resume ${queue}`),
  };
  const writer = { write: vi.fn(write), probe: vi.fn(probe), giveUp: vi.fn() };
  const settings = { logHoldMs: boundMs } as ConfigSettings;
  const logger = createLogger({ app: 'test', level: 'silent' });
  const logged = vi.spyOn(logger, 'error');
  const intake = new IntakeHold(consumers, [QUEUES.deliveryLog], logger);
  const retries = new RetryUntilWritten(writer as unknown as DeliveryLogWriter, intake, settings, logger);
  return { retries, writer, calls, logged };
}

const away = (): Promise<never[]> => Promise.reject(new LogUnavailable(new Error('refused')));
const hanging = (): Promise<never[]> => new Promise(() => undefined);
const refused = (): Promise<never[]> => Promise.reject(new LogRefused({ driverError: {} }));

describe('RetryUntilWritten', () => {
  it('cancels the consumer once while the database is away, and resumes it once it is written', async () => {
    let failures = 4;
    const { retries, calls } = setup(() =>
      failures-- > 0 ? Promise.reject(new LogUnavailable(new Error('refused'))) : Promise.resolve([]),
    );
    await Promise.all([retries.write([]), retries.write([])]);
    await vi.waitFor(() => expect(calls).toEqual(['pause config.delivery-log', 'resume config.delivery-log']));
  });

  it('says once that records wait, however many do', async () => {
    const { retries, writer, logged } = setup(away);
    const held = [retries.write([]), retries.write([]), retries.write([])];
    await vi.waitFor(() => expect(writer.write.mock.calls.length).toBeGreaterThan(3), { interval: 1 });
    expect(logged).toHaveBeenCalledExactlyOnceWith(expect.anything(), expect.stringContaining('records wait'));
    retries.onModuleDestroy();
    await Promise.allSettled(held);
  });

  // The second must begin within the first pause, for which another process may hold the CPU.
  it('writes again together what began to fail at different times, as one batch', { retry: 2 }, async () => {
    const { retries, writer } = setup(away);
    const held = [retries.write([])];
    // The times must differ by more than it takes to look; no other wait is needed.
    await new Promise((resolve) => setTimeout(resolve, 20));
    held.push(retries.write([]));
    await vi.waitFor(() => expect(writer.write.mock.calls.length).toBeGreaterThan(2), { interval: 1 });
    expect(writer.write).toHaveBeenCalledTimes(4);
    retries.onModuleDestroy();
    await Promise.allSettled(held);
  });

  it('lets a bug through, so that it counts towards the delivery limit', async () => {
    const { retries, calls } = setup(() => Promise.reject(new TypeError('no such member')));
    await expect(retries.write([])).rejects.toThrow('no such member');
    expect(calls).toEqual([]);
  });

  it('gives up what it holds when the service stops', async () => {
    const { retries, writer } = setup(() => Promise.reject(new LogUnavailable(new Error('refused'))));
    const writing = retries.write([]);
    const settled = expect(writing).rejects.toThrow("can't be written");
    await vi.waitFor(() => expect(writer.write).toHaveBeenCalled());
    retries.onModuleDestroy();
    await settled;
  });

  const [paused, resumed] = ['pause config.delivery-log', 'resume config.delivery-log'];

  it.each([
    ['fail', away],
    ['hang', hanging],
  ])(
    'hands back what it holds once its writes %s for too long, and resumes when the database answers',
    async (_, write) => {
      let answers = false;
      const probe = () => (answers ? Promise.resolve() : Promise.reject(new LogUnavailable(new Error('refused'))));
      const { retries, writer, calls, logged } = setup(write, { boundMs: BOUND_MS, probe });
      const outcomes = await Promise.allSettled([retries.write([]), retries.write([])]);
      expect(outcomes).toEqual(Array(2).fill(expect.objectContaining({ status: 'rejected' })));
      await vi.waitFor(() => expect(writer.probe).toHaveBeenCalledTimes(2), 5_000);
      expect(new Set(calls)).toEqual(new Set([paused]));
      expect(retries.handBacks).toBe(1);
      expect(logged).toHaveBeenCalledWith(expect.stringContaining('the records held are handed back'));
      expect(retries.keepsUp).toBe(false);
      // Else the batch that hangs would keep the writer from all that comes later.
      expect(writer.giveUp).toHaveBeenCalledExactlyOnceWith(expect.any(LogUnavailable));
      answers = true;
      await vi.waitFor(() => expect(calls.at(-1)).toBe(resumed), 5_000);
      expect(retries.keepsUp).toBe(true);
    },
  );

  it('hands nothing back before the consumer is cancelled, for it would come straight back', async () => {
    let pause = (): void => undefined;
    const paused = () => new Promise<void>((resolve) => (pause = resolve));
    const { retries, calls } = setup(hanging, { boundMs: 1, paused });
    const handedBack = vi.fn();
    const held = retries.write([]).catch(handedBack);
    await vi.waitFor(() => expect(calls).toEqual(['pause config.delivery-log']), { interval: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(handedBack).not.toHaveBeenCalled();
    pause();
    await held;
    expect(handedBack).toHaveBeenCalled();
  });

  it('hands back once in an outage, which only a write ends', async () => {
    let write = hanging;
    const { retries, writer, calls } = setup(() => write(), { boundMs: BOUND_MS });
    await expect(retries.write([])).rejects.toThrow('held for too long');
    await vi.waitFor(() => expect(calls).toEqual([paused, resumed]));
    write = away;
    const held = retries.write([]);
    // The first pause alone is longer than the bound.
    await vi.waitFor(() => expect(writer.write).toHaveBeenCalledTimes(3));
    write = () => Promise.resolve([]);
    expect(await held).toEqual([]);
    write = hanging;
    await expect(retries.write([])).rejects.toThrow('held for too long');
  });

  it('looks for the database no more when the service stops', async () => {
    const { retries, writer, calls } = setup(away, { boundMs: BOUND_MS, probe: away as () => Promise<never> });
    await expect(retries.write([])).rejects.toThrow("can't be written");
    await vi.waitFor(() => expect(writer.probe).toHaveBeenCalled());
    const asked = writer.probe.mock.calls.length;
    retries.onModuleDestroy();
    await new Promise((resolve) => setImmediate(resolve));
    expect(writer.probe).toHaveBeenCalledTimes(asked);
    expect(calls).not.toContain(resumed);
  });

  it('asks the database anew when a probe hangs, for that connection may be lost', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let probe = hanging as () => Promise<unknown>;
    const { retries, writer, calls } = setup(hanging, { boundMs: BOUND_MS, probe: () => probe() as Promise<void> });
    const held = retries.write([]).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(BOUND_MS);
    await held;
    expect(writer.probe).toHaveBeenCalledTimes(1);
    probe = nothing;
    await vi.advanceTimersByTimeAsync(5_000);
    vi.useRealTimers();
    await vi.waitFor(() => expect(calls).toEqual([paused, resumed]));
  });

  it('hands nothing back once the service stops, which gives back all that is held', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { retries, calls } = setup(hanging, { boundMs: BOUND_MS });
    void retries.write([]);
    retries.onModuleDestroy();
    await vi.advanceTimersByTimeAsync(BOUND_MS);
    expect(retries.handBacks).toBe(0);
    expect(calls).toEqual([]);
  });

  it('keeps up until what it holds has waited for ten seconds', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    let end = (): void => undefined;
    const { retries } = setup(() => new Promise((resolve) => (end = () => resolve([]))));
    const writing = retries.write([]);
    now.mockReturnValue(9_999);
    expect(retries.keepsUp).toBe(true);
    now.mockReturnValue(10_000);
    expect(retries.keepsUp).toBe(false);
    end();
    await writing;
    expect(retries.keepsUp).toBe(true);
  });

  it('tells of each record that is refused, and no more keeps up with several: the log may be at fault', async () => {
    const { retries, logged } = setup(refused);
    const held = [retries.write([])];
    await vi.waitFor(() => expect(retries.refusedNow).toBe(1), { interval: 1 });
    expect(retries.keepsUp).toBe(true);
    held.push(retries.write([]));
    await vi.waitFor(() => expect(retries.refusedNow).toBe(2), { interval: 1 });
    expect(retries.keepsUp).toBe(false);
    expect(logged).toHaveBeenCalledTimes(2);
    expect(logged).toHaveBeenCalledWith(expect.anything(), expect.stringContaining('is refused'));
    retries.onModuleDestroy();
    await Promise.allSettled(held);
  });

  it('gives back what is refused when the service stops', async () => {
    const { retries, writer } = setup(refused);
    const writing = retries.write([]);
    const settled = expect(writing).rejects.toThrow(LogRefused);
    await vi.waitFor(() => expect(retries.refusedNow).toBe(1), { interval: 1 });
    retries.onModuleDestroy();
    await settled;
    expect(writer.write).toHaveBeenCalledTimes(1);
  });
});
