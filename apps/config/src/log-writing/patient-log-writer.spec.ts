import type { BrokerServer } from '@form-webhooks/broker';
import { LogUnavailable, type DeliveryLogWriter } from '@form-webhooks/storage';
import { createLogger } from '@form-webhooks/telemetry';
import { describe, expect, it, vi } from 'vitest';
import type { ConfigSettings } from '../settings.js';
import { PatientLogWriter } from './patient-log-writer.js';

const BOUND_MS = 50;

function setup(write: () => Promise<never[]>, { boundMs = 60_000, probe = () => Promise.resolve() } = {}) {
  const calls: string[] = [];
  const note = (what: string) => (queue: string) => {
    calls.push(`${what} ${queue}`);
    return Promise.resolve();
  };
  const consumers = { pause: note('pause'), resume: note('resume') } as unknown as BrokerServer;
  const writer = { write: vi.fn(write), probe: vi.fn(probe) };
  const settings = { logHoldMs: boundMs } as ConfigSettings;
  const logger = createLogger({ app: 'test', level: 'silent' });
  const patient = new PatientLogWriter(writer as unknown as DeliveryLogWriter, consumers, settings, logger);
  return { patient, writer, calls };
}

describe('the patient log writer', () => {
  it('cancels the consumer once while the database is away, and resumes it after the first write', async () => {
    let failures = 4;
    const { patient, calls } = setup(() =>
      failures-- > 0 ? Promise.reject(new LogUnavailable(new Error('refused'))) : Promise.resolve([]),
    );
    await Promise.all([patient.write([]), patient.write([])]);
    expect(calls).toEqual(['pause config.delivery-log', 'resume config.delivery-log']);
  });

  it('lets a bug through, so that it counts towards the delivery limit', async () => {
    const { patient, calls } = setup(() => Promise.reject(new TypeError('no such member')));
    await expect(patient.write([])).rejects.toThrow('no such member');
    expect(calls).toEqual([]);
  });

  it('gives up what it holds when the service stops', async () => {
    const { patient, writer } = setup(() => Promise.reject(new LogUnavailable(new Error('refused'))));
    const writing = patient.write([]);
    const settled = expect(writing).rejects.toThrow("can't be written");
    await vi.waitFor(() => expect(writer.write).toHaveBeenCalled());
    patient.onModuleDestroy();
    await settled;
  });

  const away = (): Promise<never[]> => Promise.reject(new LogUnavailable(new Error('refused')));
  const hanging = (): Promise<never[]> => new Promise(() => undefined);
  const [paused, resumed] = ['pause config.delivery-log', 'resume config.delivery-log'];

  it.each([
    ['fail', away],
    ['hang', hanging],
  ])(
    'hands back what it holds once its writes %s for too long, and resumes when the database answers',
    async (_, write) => {
      let answers = false;
      const probe = () => (answers ? Promise.resolve() : Promise.reject(new LogUnavailable(new Error('refused'))));
      const { patient, writer, calls } = setup(write, { boundMs: BOUND_MS, probe });
      const outcomes = await Promise.allSettled([patient.write([]), patient.write([])]);
      expect(outcomes).toEqual(Array(2).fill(expect.objectContaining({ status: 'rejected' })));
      await vi.waitFor(() => expect(writer.probe).toHaveBeenCalledTimes(2), 5_000);
      expect(new Set(calls)).toEqual(new Set([paused]));
      answers = true;
      await vi.waitFor(() => expect(calls.at(-1)).toBe(resumed), 5_000);
    },
  );

  it('hands back once in an outage, which only a write ends', async () => {
    let write = hanging;
    const { patient, writer, calls } = setup(() => write(), { boundMs: BOUND_MS });
    await expect(patient.write([])).rejects.toThrow('held for too long');
    await vi.waitFor(() => expect(calls).toEqual([paused, resumed]));
    write = away;
    const held = patient.write([]);
    // The first pause alone is longer than the bound.
    await vi.waitFor(() => expect(writer.write).toHaveBeenCalledTimes(3));
    write = () => Promise.resolve([]);
    expect(await held).toEqual([]);
    write = hanging;
    await expect(patient.write([])).rejects.toThrow('held for too long');
  });

  it('looks for the database no more when the service stops', async () => {
    const { patient, writer, calls } = setup(away, { boundMs: BOUND_MS, probe: away as () => Promise<never> });
    await expect(patient.write([])).rejects.toThrow("can't be written");
    await vi.waitFor(() => expect(writer.probe).toHaveBeenCalled());
    patient.onModuleDestroy();
    expect(calls).not.toContain(resumed);
  });
});
