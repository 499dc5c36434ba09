import { describe, expect, it } from 'vitest';
import { knownMigrations } from '../database/data-source.js';
import { TABLES, tablesMadeBy } from './known-tables.js';

describe('the tables of a database', () => {
  it('are those that the migrations of this version make, and the one that lists these', () => {
    expect(['migrations', ...tablesMadeBy(knownMigrations())].toSorted()).toEqual(TABLES.toSorted());
    expect(new Set(TABLES).size).toBe(TABLES.length);
  });

  it('are made each by its own migration', () => {
    expect(tablesMadeBy(['CreateDeliveryPauses1764261000000', 'AddTimingsToAttempts1764262000000'])).toEqual([
      'delivery_pauses',
    ]);
  });
});
