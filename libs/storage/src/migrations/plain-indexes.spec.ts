import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';

/** From before there was `indexConcurrently`; docs/upgrading.md tells of them. */
const FROM_BEFORE = ['1764204000000', '1764207000000', '1764211000000'];
/** A table of the owners' own making: a few rows an endpoint, indexed within milliseconds. */
const SMALL = ['endpoint_secrets'];

const migrations = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^\d{13}-.*(?<!\.spec)\.ts$/.test(basename(file)))
  .map((file) => ({ at: basename(file).slice(0, 13), text: readFileSync(join(import.meta.dirname, file), 'utf8') }));

/** Tables that a migration indexes with their writers locked out. */
const indexedPlainly = (text: string): string[] =>
  [...text.matchAll(/CREATE\s+(?:UNIQUE\s+)?INDEX\s+(?!CONCURRENTLY)(?:IF NOT EXISTS\s+)?\S+\s+ON\s+(\S+)/g)].map(
    ([, table]) => table!,
  );
const madeBy = (text: string): string[] => [...text.matchAll(/CREATE TABLE (\w+)/g)].map(([, table]) => table!);

it('no migration makes a plain index of a table that stands already: its writers would wait until it is built', () => {
  expect(migrations.length).toBeGreaterThan(14);
  const stopping = migrations.flatMap(({ at, text }) => {
    const harmless = [...madeBy(text), ...SMALL];
    return indexedPlainly(text).some((table) => !harmless.includes(table)) ? [at] : [];
  });
  expect(stopping).toEqual(FROM_BEFORE);
});
