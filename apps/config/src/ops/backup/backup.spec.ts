import { knownMigrations, TABLES } from '@form-webhooks/storage';
import { describe, expect, it } from 'vitest';
import { Installation } from '../installation.js';
import type { OpsCall } from '../ops-command.js';
import { readList, readMigrations } from './archive.js';
import { CHECK_BACKUP } from './backup-check.js';
import { judgeAge, judgeBackedUpMigrations, judgeTables } from './contents-checks.js';
import { judgeConfigStopped, judgeRestoredAt, tellGap, tellOpen, tellWaiting } from './restore-judgements.js';

const NOW = Date.parse('2026-11-29T14:00:00Z');
const HOUR_MS = 3_600_000;
const ago = (hours: number): Date => new Date(NOW - hours * HOUR_MS);

describe('an archive of pg_dump', () => {
  const entry = (name: string, n: number): string => `${4_000 + n}; 0 16400 TABLE DATA public ${name} form_webhooks`;
  const DAYS = ['events_20261129', 'deliveries_20261129', 'attempts_20261129'];
  const NAMES = [
    ...TABLES.filter((name) => !['events', 'deliveries', 'attempts', 'rate_limits'].includes(name)),
    ...DAYS,
  ];
  const list = (names: readonly string[]): string =>
    [';', '; Archive created at 2026-11-29 02:00:00 UTC', ';     dbname: form_webhooks', ...names.map(entry)].join(
      '\n',
    );

  it.each(['UTC', 'CET', 'EST'])('was made at the time on the wall, whatever zone pg_restore writes: %s', (zone) => {
    const { madeAt } = readList(`; Archive created at 2026-11-29 02:00:00 ${zone}\n`);
    expect(madeAt).toEqual(new Date(2026, 10, 29, 2));
  });

  it('has every table with its rows, those of the log by their days', () => {
    expect(readList(list(NAMES))).toEqual({ madeAt: new Date(2026, 10, 29, 2), missingTables: [] });
  });

  it('tells which tables it lacks', () => {
    const left = NAMES.filter((name) => name !== 'forms' && name !== 'deliveries_20261129');
    expect(readList(list(left)).missingTables.toSorted()).toEqual(['deliveries', 'forms']);
  });

  it('tells which migrations ran', () => {
    const text =
      'SET x;\nCOPY public.migrations (id, "timestamp", name) FROM stdin;\n1\t17\tOne17\n2\t18\tTwo18\n\\.\n\n';
    expect(readMigrations(text)).toEqual(['One17', 'Two18']);
    expect(readMigrations('')).toEqual([]);
  });
});

const PAUSES = 'CreateDeliveryPauses1764261000000';
const standing = (missing: string[], later: string[] = []) => ({ missing, later });

it.each([
  [judgeTables(['forms'], standing([])), 'missing: forms'],
  [judgeTables(['forms', 'delivery_pauses'], standing([PAUSES])), 'missing: forms'],
  [judgeTables(['migrations', 'forms'], standing([...knownMigrations()])), 'missing: migrations'],
  [judgeBackedUpMigrations(standing([], ['Z9'])), 'a later version made it'],
  [judgeAge(null, NOW, HOUR_MS), 'never written'],
  [judgeAge(ago(-3), NOW, 25 * HOUR_MS), 'lies 3h in the future'],
  [judgeAge(ago(30), NOW, 25 * HOUR_MS), '30h ago: more than 25h'],
  [judgeAge(new Date(NOW - 20_000), NOW, 10_000), 'less than a minute ago: more than 10s'],
  [judgeRestoredAt(null, ago(2), NOW), 'it is not set'],
  [judgeRestoredAt(NOW + HOUR_MS, ago(2), NOW), 'lies in the future'],
  [judgeRestoredAt(NOW - 3 * HOUR_MS, ago(2), NOW), 'of an earlier restore'],
  [judgeConfigStopped(2), '2 of them run: they answer'],
  [judgeConfigStopped(1), '1 of them runs: it answers'],
])('says what is wrong with a backup or a restore: %j', (finding, what) => {
  expect(finding).toMatchObject({
    verdict: 'wrong',
    what: expect.stringContaining(what),
    repair: expect.stringMatching(/\w+/),
    see: expect.stringMatching(/^docs\/operations\.md#/),
  });
});

it.each([
  [judgeTables(['delivery_pauses'], standing([...knownMigrations()])), "can't be told"],
  [judgeBackedUpMigrations(standing([...knownMigrations()])), 'none can be read'],
])('says what it does not know where no migrations are read: %j', (finding, what) => {
  expect(finding).toMatchObject({ verdict: 'unknown', what: expect.stringContaining(what) });
});

it.each([
  [judgeTables(['delivery_pauses'], standing([PAUSES])), 'older version'],
  [judgeBackedUpMigrations(standing(['A1', 'B2'])), '2 are to be run'],
  [judgeAge(ago(2), NOW, 25 * HOUR_MS), '2h ago'],
  [judgeRestoredAt(NOW, ago(2), NOW), 'not sent again'],
  [judgeConfigStopped(0), 'none runs'],
  [tellGap(ago(2), NOW), 'changed since 2026-11-29T12:00:00.000Z, 2h ago, is not in it'],
  [tellGap(new Date(NOW - 10_000), NOW), 'less than a minute ago, is not in it'],
  [tellOpen(7, false), 'the backup holds 7'],
  [tellOpen(50_001, true), 'more than 50001'],
  [
    tellWaiting(
      new Map([
        ['config.delivery-log', 3],
        ['dispatcher.events', 2],
      ]),
    ),
    '3 records wait for the log, to bring it up to date; besides 2 in dispatcher.events',
  ],
])('says what is well and what will happen: %j', (finding, what) => {
  expect(finding).toMatchObject({ verdict: 'fine', what: expect.stringContaining(what) });
});

it.each(['nothing', 'https://h/d', '/srv/webhooks.dump'])(
  'is called wrongly with no database: %s',
  async (database) => {
    const call = { values: { database }, args: [], installation: new Installation('a test', {}) };
    await expect(CHECK_BACKUP.run(call as unknown as OpsCall)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('--database: not a URL that starts with postgres://'),
    });
  },
);
