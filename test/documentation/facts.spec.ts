import {
  endpointRetryQueue,
  sharedRetryQueue,
  DEFAULT_RETRY_QUEUE_MARGIN_MS,
  parkedQueueOf,
  patternOf,
  PERMISSIONS,
  crashedQueueOf,
  standingTopology,
  WORK_QUEUES,
  type QueueSpec,
} from '@form-webhooks/broker';
import {
  buildTail,
  CANCELLED_REASONS,
  DEFAULT_RETRY_SCHEDULE,
  DELIVERY_STATES,
  deriveDeliveryId,
  EVENT_NAMES,
  FAILED_REASONS,
  parseRetrySchedule,
  REASONS,
  sealEnvelope,
  TRIGGERS,
} from '@form-webhooks/domain';
import { settingsOf } from '@form-webhooks/settings';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DispatcherSettings } from '../../apps/dispatcher/src/settings.js';
import { tableUnder } from './pages.js';
import { filesBelow, productionSources, readText } from './repository.js';

/** What these tests read of the contract for messages. */
interface Schema {
  readonly enum?: readonly (string | null)[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly const?: string;
}
interface AsyncApi {
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly messages: Readonly<Record<string, { readonly title?: string }>>;
  };
}

const ATTEMPTS = parseRetrySchedule(DEFAULT_RETRY_SCHEDULE).length + 1;
const RETRY_STATUSES = settingsOf(DispatcherSettings)
  .find(({ env }) => env === 'RETRY_STATUSES')!
  .default!.split(',');

/** Whether a page contains a text, wherever its lines break. (Comparing the texts would print the whole page.) */
const says = (page: string, text: string): boolean => page.replace(/\s+/g, ' ').includes(text);

/** A cell without its backticks. */
const plain = (cell: string): string => cell.replaceAll('`', '');

describe('docs/architecture.md', () => {
  const page = readText('docs/architecture.md');
  const topology = standingTopology();
  const documented = new Map(tableUnder(page, 'Queues').map(([name, type]) => [plain(name!), type!]));

  /** How the page names a queue: what differs between queues of one kind is a placeholder. */
  function nameOnPage({ name }: QueueSpec): string {
    const work = WORK_QUEUES.find((queue) => [parkedQueueOf(queue), crashedQueueOf(queue)].includes(name));
    if (work !== undefined) return name.replace(work, '<work queue>');
    return name.replace(/^(retry\.(?:shared|events))\.\d+/, '$1.<ms>').replace(/(retry.*\.bulk-)\d$/, '$1<n>');
  }

  it('lists every queue of the topology and no other, with its type', () => {
    const endpoints: QueueSpec = {
      ...endpointRetryQueue('<endpoint_id>', 0, DEFAULT_RETRY_QUEUE_MARGIN_MS),
      name: 'retry.<endpoint_id>.<delay_ms>',
    };
    expect(endpointRetryQueue('we_1', 2, DEFAULT_RETRY_QUEUE_MARGIN_MS).name).toBe('retry.we_1.2');
    const declared = new Map(
      [...topology.queues, ...topology.singleNodeQueues, sharedRetryQueue(2), endpoints].map((queue) => [
        nameOnPage(queue),
        queue.arguments['x-queue-type'],
      ]),
    );
    expect(documented).toEqual(declared);
  });

  it('says of each work queue that it is one', () => {
    const named = tableUnder(page, 'Queues').filter(([, , holds]) => holds!.endsWith('; a work queue'));
    expect(new Set(named.map(([name]) => plain(name!)))).toEqual(new Set(WORK_QUEUES));
  });

  it('lists every exchange with its type and the queue that is bound to it', () => {
    const rows = tableUnder(page, 'Exchanges');
    expect(new Map(rows.map(([name, type]) => [plain(name!), type]))).toEqual(
      new Map(topology.exchanges.map(({ name, type }) => [name, type])),
    );
    for (const { exchange, queue, routingKey } of topology.bindings) {
      if (routingKey !== undefined) continue;
      const row = rows.find(([name]) => plain(name!) === exchange);
      expect(plain(row?.[3] ?? ''), exchange).toBe(queue);
    }
  });
});

describe('docs/security.md', () => {
  const page = readText('docs/security.md');
  const users = Object.entries(PERMISSIONS);

  it('says of each user of the broker what it may do', () => {
    const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ') || 'nothing';
    expect(tableUnder(page, 'Users of the broker')).toEqual(
      users.map(([user, { configure, write, read }]) => [`\`${user}\``, list(configure), list(write), list(read)]),
    );
  });

  it('gives the commands that set these rights', () => {
    for (const [user, { configure, write, read }] of users) {
      const patterns = [configure, write, read].map((names) => `'${patternOf(names)}'`);
      expect(page).toContain(`\nrabbitmqctl set_permissions ${user} ${patterns.join(' ')}\n`);
    }
  });
});

describe('docs/delivery-states.md', () => {
  const page = readText('docs/delivery-states.md');

  it('names the states in the order that decides', () => {
    expect(says(page, DELIVERY_STATES.map((state) => `\`${state}\``).join(', '))).toBe(true);
    for (const state of DELIVERY_STATES) expect(page).toMatch(new RegExp(`--> ${state}:`));
  });

  it('lists every reason with its state', () => {
    const rows = tableUnder(page, 'Reasons').map(([state, reason]) => [plain(state!), plain(reason!)]);
    expect(rows).toEqual([
      ...FAILED_REASONS.map((reason) => ['failed', reason]),
      ...CANCELLED_REASONS.map((reason) => ['cancelled', reason]),
    ]);
  });

  it('gives the default schedule and how many attempts it allows', () => {
    expect(says(page, `\`${DEFAULT_RETRY_SCHEDULE}\``)).toBe(true);
    expect(says(page, `${ATTEMPTS} attempts`)).toBe(true);
  });

  it('gives the statuses that are tried again by default', () => {
    expect(says(page, `\`RETRY_STATUSES\` (${RETRY_STATUSES.join(', ')})`)).toBe(true);
  });
});

describe('docs/troubleshooting.md', () => {
  it('says what to do for every reason for which no work is taken', () => {
    const reasons = productionSources().flatMap((file) =>
      [...readText(file).matchAll(/: HoldReason = \{ why: '([^']+)'/g)].map(([, why]) => why!),
    );
    expect(reasons.length).toBeGreaterThan(3);
    const page = readText('docs/troubleshooting.md');
    expect(reasons.filter((why) => !says(page, `\`${why}\``))).toEqual([]);
  });
});

describe('docs/verifying.md', () => {
  const page = readText('docs/verifying.md');

  it('tells receivers which answers are tried again and how often', () => {
    expect(says(page, `${RETRY_STATUSES.join(', ')}, 5xx, or nothing`)).toBe(true);
    expect(says(page, `${ATTEMPTS} times`)).toBe(true);
  });

  it('tells receivers how large a body can be', () => {
    const event = '{"event":"draft.resumed","form_id":"f_1","submission_id":"s_1","fields":{}}';
    const tail = buildTail({ formId: 'f_1', submissionId: 's_1', fields: Buffer.from('{}'), meta: Buffer.from('{}') });
    const body = sealEnvelope('draft.resumed', deriveDeliveryId('evt_1', 'we_1'), 1_795_810_757, tail);
    expect(body.length - event.length).toBeGreaterThan(70);
    expect(body.length - event.length).toBeLessThanOrEqual(80);
    expect(says(page, 'up to 1 MiB and some 80 bytes')).toBe(true);
  });
});

describe('the events', () => {
  const backticked = EVENT_NAMES.map((name) => `\`${name}\``);
  const listing = `${backticked.slice(0, -1).join(', ')} <joint> ${backticked.at(-1)}`;

  it.each([
    ['docs/architecture.md', 'or'],
    ['docs/verifying.md', 'and'],
  ])('are all listed in %s', (file, joint) => {
    expect(says(readText(file), listing.replace('<joint>', joint))).toBe(true);
  });

  it('stand in one source alone; everything else takes them from there', () => {
    const source = 'libs/domain/src/enumerations.ts';
    const listing = [...productionSources(), ...filesBelow('deploy', '.ts'), ...filesBelow('test/survive', '.ts')]
      .filter((file) => !file.includes('/migrations/'))
      .filter((file) => EVENT_NAMES.filter((name) => readText(file).includes(`'${name}'`)).length > 1);
    expect(listing).toEqual([source]);
  });
});

describe('docs/asyncapi.yaml', () => {
  const { schemas, messages } = (parse(readText('docs/asyncapi.yaml')) as AsyncApi).components;
  const trigger = schemas['deliveryHeaders']!.allOf!.find(({ properties }) => properties)!.properties!['trigger'];
  const { state, reason } = schemas['deliveryEntry']!.properties!;

  it.each([
    ['events', schemas['eventName'], EVENT_NAMES],
    ['triggers', trigger, TRIGGERS],
    ['states', state, DELIVERY_STATES],
    ['reasons', reason, [...REASONS, null]],
  ])('lists all %s and no other', (_what, schema, values) => {
    expect(schema?.enum).toEqual(values);
  });

  it('has every question that config and dispatchers answer, and every change that config tells of', () => {
    const calls = readText('libs/messages/src/rpc.ts').matchAll(/^ {2}(\w+): \{ request: /gm);
    const answered = [...calls].map(([, name]) => name);
    const asked = Object.values(messages).flatMap(({ title }) => /\(`(\w+)`\)$/.exec(title ?? '')?.[1] ?? []);
    expect(asked.sort()).toEqual(answered.sort());
    const source = readText('libs/messages/src/config-change.ts');
    const kinds = new Set([...source.matchAll(/kind: '(\w+)'/g)].map(([, kind]) => kind));
    expect(new Set(schemas['configChange']!.oneOf!.map(({ properties }) => properties!['kind']!.const))).toEqual(kinds);
  });
});
