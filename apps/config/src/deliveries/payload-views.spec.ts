import type { Actor, Form } from '@form-webhooks/storage';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Changes } from '../changes/changes.js';
import { PayloadViews } from './payload-views.js';

const ADA = { actor: 'user:ada', ip: '192.0.2.1' } as Actor;
const FORM = { id: 'f_1', workspaceId: 'ws_1' } as Form;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Looks at a payload at an interval, and counts the entries of all looks together. */
function looking() {
  let entries = 0;
  const commit = (): Promise<void> => {
    entries++;
    return Promise.resolve();
  };
  const views = new PayloadViews({ commit } as unknown as Changes);
  return async (times: number, everyMs: number, deliveryId = 'dlv_1', by = ADA): Promise<number> => {
    for (let n = 0; n < times; n++) {
      await views.note(by, FORM, deliveryId);
      vi.advanceTimersByTime(everyMs);
    }
    return entries;
  };
}

it('is one view while a page stays open, and another one each hour', async () => {
  const look = looking();
  expect(await look(359, 10_000)).toBe(1);
  expect(await look(10, 10_000)).toBe(2);
});

it('is another view after a minute in which nobody looked', async () => {
  const look = looking();
  expect(await look(2, 59_000)).toBe(1);
  expect(await look(2, 61_000)).toBe(2);
  expect(await look(1, 0)).toBe(3);
});

it('is a view of its own for each delivery, and for each person', async () => {
  const look = looking();
  await look(1, 0);
  expect(await look(1, 0, 'dlv_2')).toBe(2);
  expect(await look(1, 0, 'dlv_1', { ...ADA, actor: 'user:bob' })).toBe(3);
});

it('is written down again if its entry could not be', async () => {
  const commit = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('no database')).mockResolvedValue();
  const views = new PayloadViews({ commit } as unknown as Changes);
  await expect(views.note(ADA, FORM, 'dlv_1')).rejects.toThrow('no database');
  await views.note(ADA, FORM, 'dlv_1');
  expect(commit).toHaveBeenCalledTimes(2);
});
