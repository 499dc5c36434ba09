import { QueryFailedError } from 'typeorm';
import { describe, expect, it, vi } from 'vitest';
import { DAY_MS, dayOf, type LogDay } from '../database/log-days.js';
import { isDayMissing } from './database-errors.js';
import { RecordDays } from './record-days.js';
import { anEvent } from '../testing/an-event.js';

const NOW = Date.parse('2026-11-29T12:00:00Z');
const failure = (code: string, constraint?: string): QueryFailedError =>
  new QueryFailedError('SELECT', [], Object.assign(new Error('no'), { code, constraint }));

/** A database that makes the days of a month ahead, by its own clock. */
function database() {
  const standing = new Set<LogDay>();
  const make = vi.fn((days: readonly LogDay[]): Promise<void> => {
    if (days.some((day) => day > dayOf(NOW + 31 * DAY_MS))) return Promise.reject(failure('42501'));
    for (const day of days) standing.add(day);
    return Promise.resolve();
  });
  return { standing, make, partitions: { now: async () => NOW, make, standing: async () => new Set(standing) } };
}

describe('the day of a record', () => {
  it('is made once, and remembered until it is missing all the same', async () => {
    const { standing, make, partitions } = database();
    const days = new RecordDays(partitions, 30, () => NOW);
    const records = [anEvent(NOW)];
    for (let n = 0; n < 3; n++) expect(await days.findRoom(records)).toEqual({ sound: records, unwritable: [] });
    expect(make).toHaveBeenCalledOnce();
    standing.clear();
    expect(await days.findRoomAnew(records)).toEqual({ sound: records, unwritable: [] });
    expect([...standing]).toEqual([dayOf(NOW)]);
  });

  it('that was dropped past its retention makes its record unwritable, and is not made again', async () => {
    const { standing, partitions } = database();
    // Its own clock still has room for it.
    const days = new RecordDays(partitions, 30, () => NOW - 2 * DAY_MS);
    const [late, sound] = [anEvent(NOW - 31 * DAY_MS), anEvent(NOW)];
    await days.findRoom([late, sound]);
    standing.clear();
    const { unwritable, ...rest } = await days.findRoomAnew([late, sound]);
    expect(rest.sound).toEqual([sound]);
    expect(unwritable).toMatchObject([{ record: late, reason: expect.stringContaining('the log holds') as string }]);
    expect([...standing]).toEqual([dayOf(NOW)]);
  });

  it('that the database refuses to make keeps back no record of another', async () => {
    const { standing, make, partitions } = database();
    // Its own clock has room for all of them.
    const days = new RecordDays(partitions, 30, () => NOW + 29 * DAY_MS);
    const [far, near] = [anEvent(NOW + 32 * DAY_MS), anEvent(NOW + 30 * DAY_MS)];
    const { sound, unwritable } = await days.findRoom([far, near, anEvent(NOW)]);
    expect(sound).toEqual([anEvent(NOW)]);
    expect(unwritable.map(({ record }) => record)).toEqual([far, near]);
    expect(make).toHaveBeenCalledTimes(2);
    expect([...standing]).toEqual([dayOf(NOW)]);
  });

  it('is waited for where the database makes none, for want of a right', async () => {
    const { partitions } = database();
    const make = () => Promise.reject(failure('42501'));
    const days = new RecordDays({ ...partitions, make }, 30, () => NOW);
    await expect(days.findRoom([anEvent(NOW)])).rejects.toBeInstanceOf(QueryFailedError);
  });
});

it('a missing day is told from a check that a record breaks', () => {
  expect(isDayMissing(failure('23514'))).toBe(true);
  expect(isDayMissing(failure('23514', 'attempts_try_check'))).toBe(false);
  expect(isDayMissing(failure('23505'))).toBe(false);
  expect(isDayMissing(new Error('away'))).toBe(false);
});
