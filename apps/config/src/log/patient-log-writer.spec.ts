import type { BrokerServer } from '@form-webhooks/broker';
import { LogUnavailable, type DeliveryLogWriter } from '@form-webhooks/storage';
import { createLogger } from '@form-webhooks/telemetry';
import { describe, expect, it, vi } from 'vitest';
import { PatientLogWriter } from './patient-log-writer.js';

function setup(write: () => Promise<never[]>) {
  const calls: string[] = [];
  const note = (what: string) => (queue: string) => {
    calls.push(`${what} ${queue}`);
    return Promise.resolve();
  };
  const consumers = { pause: note('pause'), resume: note('resume') } as unknown as BrokerServer;
  const writer = { write: vi.fn(write) };
  const logger = createLogger({ app: 'test', level: 'silent' });
  const patient = new PatientLogWriter(writer as unknown as DeliveryLogWriter, consumers, logger);
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
});
