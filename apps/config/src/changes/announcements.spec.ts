import type { Logger } from '@form-webhooks/telemetry';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PoolSettings } from '../database/database-settings.js';
import type { OutboxPublisher } from '../outbox/outbox-publisher.js';
import { Announcements } from './announcements.js';
import type { ChangeSettings } from './change-settings.js';

describe('the announcement of changes', () => {
  let available: boolean;
  /** Of the rows that are being published, what ends that. */
  let ends: Map<string, () => void>;
  beforeEach(() => {
    available = true;
    ends = new Map();
  });

  function announcements(logSize: number, announceTimeoutMs = 10_000): Announcements {
    const publisher = {
      get available() {
        return available;
      },
      publishThese: ([id]: readonly string[]) => new Promise<void>((resolve) => ends.set(id!, resolve)),
    };
    const logger = { warn: () => undefined } as unknown as Logger;
    const [settings, pools] = [{ announceTimeoutMs } as ChangeSettings, { logSize } as PoolSettings];
    return new Announcements(publisher as unknown as OutboxPublisher, settings, pools, logger);
  }

  it.each([
    [8, ['1', '2']],
    [4, ['1']],
  ])("takes a quarter of the log's %i connections at most, however slow the broker is", async (logSize, atOnce) => {
    const all = announcements(logSize);
    const made = ['1', '2', '3', '4'].map((id) => all.make([id]));
    await vi.waitFor(() => expect([...ends.keys()]).toEqual(atOnce));
    for (const id of ['1', '2', '3', '4']) {
      await vi.waitFor(() => expect(ends.has(id)).toBe(true));
      ends.get(id)!();
    }
    await Promise.all(made);
    void all.make(['5']);
    await vi.waitFor(() => expect(ends.has('5')).toBe(true));
  });

  it('is left to the outbox if its turn or its confirm does not come in time, or the broker is away', async () => {
    const all = announcements(4, 20);
    await all.make(['slow']);
    await all.make(['behind']);
    available = false;
    await all.make(['away']);
    expect([...ends.keys()]).toEqual(['slow']);
    available = true;
    ends.get('slow')!();
    await all.onApplicationShutdown();
    void all.make(['next']);
    await vi.waitFor(() => expect(ends.has('next')).toBe(true));
  });
});
