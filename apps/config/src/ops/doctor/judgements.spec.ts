import { describe, expect, it } from 'vitest';
import { dayOf } from '@form-webhooks/storage';
import {
  judgeAlarm,
  judgeConsumers,
  judgeExchanges,
  judgeParked,
  judgeQueues,
  type Standings,
} from './broker-checks.js';
import { judgeCertificate } from './certificate-checks.js';
import { judgeClock, judgeKeys, judgeMigrations, judgeOutbox, judgePauses, judgeRights } from './database-checks.js';
import { isBad, type Finding } from './finding.js';
import { findingLines } from './finding-lines.js';
import { judgeDays, judgeLateDays, judgeLocks, judgeOverdue, judgeSecrets, lateDays } from './log-checks.js';
import { judgePermissions } from './permission-check.js';
import { judgeCall, judgeEgress, judgeReadiness } from './service-checks.js';
import { judgeBrokerVersion, judgeVersions, versionIn } from './version-checks.js';
import { judgeWriteFailure } from './write-check.js';

const NOW = Date.parse('2026-11-29T23:59:00Z');
const DAY = 86_400_000;
const queues = (...standing: [string, { messages: number; consumers: number } | undefined][]): Standings =>
  new Map(standing);
const idle = { messages: 3, consumers: 0 };
const busy = { messages: 0, consumers: 1 };
const stored = new Map([
  ['k1', 4],
  ['k2', 1],
]);
const ring = (...keys: string[]) => ({ holds: (keyId: string) => keys.includes(keyId) });
const days = (...at: number[]): ReadonlySet<string> => new Set(at.map(dayOf));
const RETENTION = { days: 30, holdDays: 7 };
const judgeKept = (kept: readonly number[], underWay: readonly number[] = [], now = NOW): Finding =>
  judgeLateDays(lateDays(days(...kept), now, RETENTION), days(...underWay), RETENTION);
const URL = 'http://dispatcher:9090';

/** Everything that can be wrong: what is found, the words that name it, and those of the repair. */
const BROKEN: readonly (readonly [string, Finding | undefined, string, string])[] = [
  ['an exchange is gone', judgeExchanges(['form.events']), 'missing: form.events', 'ingest declares'],
  ['a queue is gone', judgeQueues(queues(['config.rpc', undefined])), 'missing: config.rpc', 'config declares'],
  [
    'nobody takes',
    judgeConsumers(queues(['dispatcher.events', idle]), false)[0],
    'dispatcher.events; 3 messages',
    'start disp',
  ],
  [
    'parked',
    judgeParked(queues(['dispatcher.events.parked', idle]))[0],
    '3 messages are put aside',
    'parked list disp',
  ],
  [
    'one message parked',
    judgeParked(queues(['dispatcher.events.parked', { messages: 1, consumers: 0 }]))[0],
    '1 message is put aside',
    'parked list disp',
  ],
  [
    'too much parked',
    judgeParked(queues(['dispatcher.events.parked', { messages: 100_001, consumers: 0 }]))[0],
    'so many that erasures wait',
    'parked drop',
  ],
  ['an alarm', judgeAlarm(true), 'the broker blocks publishing', 'free memory or disk'],
  ['crashed', judgeParked(queues(['dispatcher.events.crashed', idle]))[0], 'dispatcher.events.crashed', 'start it'],
  [
    'a right is missing',
    judgePermissions([
      "403 (ACCESS-REFUSED) \"ACCESS_REFUSED - access to queue 'x' in vhost '/' refused for user 'u'\"",
    ]),
    "access to queue 'x' in vhost '/' refused for user 'u'",
    'set_permissions',
  ],
  [
    'old schema',
    judgeMigrations({ missing: ['A1', 'B2'], later: [] }),
    '2 migrations, the first of them A1',
    'migrate',
  ],
  ['rights that are missing', judgeRights(['INSERT ON TABLE forms']), 'INSERT ON TABLE forms', 'DATABASE_RUNTIME_ROLE'],
  [
    'all held back',
    judgePauses([{ formId: null, endpointId: null, since: new Date(NOW) }]),
    'all deliveries are held back since',
    'resume',
  ],
  [
    'each that is held back by name, as nothing else lists them',
    judgePauses(Array.from({ length: 22 }, (_, n) => ({ formId: `f_${n}`, endpointId: null, since: new Date(NOW) }))),
    'deliveries of f_1 since 2026-11-29T23:59:00.000Z, deliveries of f_2 since',
    'resume',
  ],
  ['a clock ahead', judgeClock(NOW + 90_000, NOW, NOW + 10), '90 s ahead', 'set the wrong one right'],
  ['a clock behind', judgeClock(NOW - 3_600_000, NOW, NOW + 10), '3600 s behind', 'set the wrong one right'],
  [
    'days past their retention that nothing may hold',
    judgeKept(Array.from({ length: 46 }, (_, age) => NOW - age * DAY)),
    '15 days of the log are kept past LOG_RETENTION_DAYS (30), the oldest 2026-10-15',
    'its log says why',
  ],
  ['a delivery overdue', judgeOverdue({ overdueSeconds: 960 }), 'due for 16 minutes', 'consumers'],
  [
    'a secret that does not open',
    judgeSecrets({
      open: [
        { state: 'pending', waitsFor: 'secret_unreadable', deliveries: 2 },
        { state: 'retrying', waitsFor: 'secret_unreadable', deliveries: 1 },
        { state: 'retrying', waitsFor: 'none', deliveries: 9 },
      ],
    }),
    '3 open deliveries wait for a secret',
    'regenerate',
  ],
  ['no table for tomorrow', judgeDays(days(NOW), NOW), 'no tables for 2026-11-30', 'start config'],
  ['nothing goes out', judgeOutbox({ rows: 8, oldestSeconds: 300 }), '8 messages wait to be published', 'start it'],
  [
    'a key is missing',
    judgeKeys(stored, ring('k2'), []),
    'lacks keys that seal stored secrets: "k1" (4',
    'put them back',
  ],
  ['a key of other bytes', judgeKeys(stored, ring('k1', 'k2'), ['k1']), 'other bytes under k1', 'backed up'],
  ['a service is stopped', judgeReadiness('dispatcher', URL, null), 'does not answer at http://d', 'start dispatcher'],
  [
    'a service is not ready',
    judgeReadiness('dispatcher', URL, { ready: false, checks: { publishing: true, topology: false } }),
    'exchanges, queues or bindings that it needs are missing',
    'its log',
  ],
  [
    'no answer',
    judgeCall('config', 'config.rpc did not answer within 5000 ms'),
    'does not answer over',
    'start config',
  ],
  ['unbound', judgeCall('config', "can't be asked: nothing takes the call to it"), 'binding is missing', 'declares it'],
  [
    'a full disk',
    judgeWriteFailure(Object.assign(new Error('could not extend file'), { code: '53100' })),
    "PostgreSQL's disk is full: could not extend file",
    'free space',
  ],
  [
    'a standby',
    judgeWriteFailure(Object.assign(new Error('in a read-only transaction'), { code: '25006' })),
    'PostgreSQL only reads',
    'name the primary',
  ],
  [
    'no temporary tables',
    judgeWriteFailure(Object.assign(new Error('permission denied to create temporary tables'), { code: '42501' })),
    "whether rows can be written can't be tried",
    'GRANT TEMPORARY ON DATABASE',
  ],
  ['open egress', judgeEgress(['169.254.169.254']), 'deliveries can reach 169.254.169.254', 'EGRESS_ALLOW'],
  ['an ended certificate', judgeCertificate('h:443', NOW - DAY, NOW), 'has ended at', 'renew'],
  ['a certificate near its end', judgeCertificate('h:443', NOW + 3 * DAY, NOW), 'ends at', 'renew'],
];

describe('doctor', () => {
  it.each(BROKEN)('names what is wrong and the repair where %s', (_how, finding, what, repair) => {
    expect(finding).toMatchObject({
      verdict: 'wrong',
      what: expect.stringContaining(what),
      repair: expect.stringContaining(repair),
      see: expect.stringMatching(/^docs\/[a-z-]+\.md/),
    });
  });

  it.each([
    [
      'services of different versions',
      judgeVersions(
        [
          { service: 'config', version: '2.0.0' },
          { service: 'dispatcher', version: '1.9.0' },
          { service: 'dispatcher', version: '2.0.0' },
        ],
        '2.0.0',
      )[0],
      'several versions run: 2.0.0 by config, dispatcher, this command; 1.9.0 by dispatcher',
      'end the upgrade',
    ],
    [
      'a broker that nobody tried',
      judgeBrokerVersion({ text: 'RabbitMQ 5.0.1', verdict: 'unknown' }),
      'RabbitMQ 5.0.1 answers',
      'try out',
    ],
  ])('warns of %s, names the repair, and calls nothing wrong', (_how, finding, what, repair) => {
    expect(finding).toMatchObject({
      verdict: 'warning',
      what: expect.stringContaining(what),
      repair: expect.stringContaining(repair),
      see: expect.stringMatching(/^docs\/upgrading\.md#/),
    });
    expect(isBad(finding!)).toBe(false);
    expect(findingLines([finding!]).at(-1)).toBe('all is well, 1 with a warning');
  });

  it('reads the version that a service tells, and takes none from what is no service of ours', () => {
    expect(versionIn('# HELP service_info x\nservice_info{replica="a:1",version="1.2.3",app="config"} 1\n')).toBe(
      '1.2.3',
    );
    expect(versionIn('up 1\n')).toBeUndefined();
  });

  it('warns of days past their retention on which something is under way, for as long as config holds them', () => {
    const held = [NOW - 37 * DAY, NOW - 31 * DAY];
    expect(judgeKept(held, held)).toMatchObject({
      verdict: 'warning',
      what: expect.stringContaining('2 days of the log are kept past LOG_RETENTION_DAYS (30), the oldest 2026-10-23'),
    });
    expect(judgeKept(held, [NOW - 31 * DAY]).verdict).toBe('wrong');
    expect(judgeKept([NOW - 38 * DAY], [NOW - 38 * DAY]).verdict).toBe('wrong');
  });

  it('warns where calls that search all days of the log may find no locks left, and says how many are enough', () => {
    const room = { perConnection: 64, connections: 100 };
    expect(judgeLocks({ ...room, perSearch: 34 * 8 }).verdict).toBe('fine');
    expect(judgeLocks({ ...room, perSearch: 94 * 8 })).toMatchObject({
      verdict: 'warning',
      what: expect.stringContaining('takes 752 locks'),
      repair: expect.stringContaining('max_locks_per_transaction = 128 for each replica'),
    });
  });

  it('calls nobody away who lets go of a queue while the broker blocks publishing', () => {
    expect(judgeConsumers(queues(['dispatcher.events', idle], ['config.rpc', idle]), true)).toMatchObject([
      { verdict: 'unknown', what: expect.stringContaining('nobody takes from dispatcher.events'), repair: null },
      { verdict: 'wrong', repair: expect.stringContaining('start config') },
    ]);
    expect(judgeConsumers(queues(['dispatcher.events', idle], ['dispatcher.rpc', idle]), true)).toMatchObject([
      { verdict: 'wrong', repair: expect.stringContaining('start dispatcher') },
    ]);
  });

  it.each([
    ['topology', 'a-service-is-not-ready'],
    ['consuming', 'a-service-is-not-ready'],
    ['forms', 'dispatchers-refuse-configs-answers'],
  ])('shows where the causes of a failing check stand: %s', (name, paragraph) => {
    const { see } = judgeReadiness('dispatcher', URL, { ready: false, checks: { publishing: true, [name]: false } });
    expect(see).toBe(`docs/troubleshooting.md#${paragraph}`);
  });

  it('does not know the version of services of which none told it, however well it knows its own', () => {
    expect(judgeVersions([{ service: 'config', version: undefined }], '1.0.0')).toMatchObject([
      { verdict: 'unknown', what: 'no service told its version' },
    ]);
  });

  it.each([
    judgeAlarm(false),
    judgeBrokerVersion({ text: 'RabbitMQ 4.1.2', verdict: 'supported' }),
    ...judgeVersions(
      [
        { service: 'config', version: '1.0.0' },
        { service: 'dispatcher', version: undefined },
      ],
      '1.0.0',
    ),
    judgeExchanges([]),
    judgeQueues(queues(['config.rpc', busy])),
    ...judgeConsumers(queues(['config.rpc', busy], ['dispatcher.events', undefined]), false),
    ...judgeParked(queues(['dispatcher.events.parked', { messages: 0, consumers: 0 }])),
    judgePermissions([]),
    judgeMigrations({ missing: [], later: [] }),
    judgeMigrations({ missing: [], later: ['C3'] }),
    judgeClock(NOW, NOW + 4_000, NOW + 4_000),
    judgeClock(NOW + 30_000, NOW, NOW + 60_000),
    judgeDays(days(NOW, NOW + DAY), NOW),
    judgeKept([NOW, NOW - 30 * DAY]),
    // Half an hour after midnight the day that has just ended its retention may still be there.
    judgeKept([NOW - 31 * DAY], [], NOW - DAY + 1_860_000),
    judgeOverdue({ overdueSeconds: 899 }),
    judgeSecrets({ open: [{ state: 'retrying', waitsFor: 'rate_limit', deliveries: 9 }] }),
    judgeOutbox({ rows: 8, oldestSeconds: 1 }),
    judgeKeys(stored, ring('k1', 'k2'), []),
    judgeReadiness('dispatcher', URL, { ready: true, checks: {} }),
    judgeCall('config', undefined),
    judgeEgress([]),
    judgeCertificate('h:443', NOW + 90 * DAY, NOW),
  ])('finds nothing wrong with what is right: $check, $what', ({ verdict, repair }) => {
    expect([verdict, repair]).toEqual(['fine', null]);
  });
});
