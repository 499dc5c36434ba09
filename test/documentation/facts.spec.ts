import {
  endpointRetryQueue,
  DEFAULT_RETRY_QUEUE_MARGIN_MS,
  parkedQueueOf,
  crashedQueueOf,
  standingTopology,
  WORK_QUEUES,
  type QueueSpec,
} from '@form-webhooks/broker';
import { CANCELLED_REASONS, DEFAULT_RETRY_SCHEDULE, DELIVERY_STATES, FAILED_REASONS } from '@form-webhooks/domain';
import { describe, expect, it } from 'vitest';
import { tableUnder } from './pages.js';
import { productionSources, readText } from './repository.js';

/** A cell without its backticks. */
const plain = (cell: string): string => cell.replaceAll('`', '');

describe('docs/architecture.md', () => {
  const page = readText('docs/architecture.md');
  const topology = standingTopology([1]);
  const documented = new Map(tableUnder(page, 'Queues').map(([name, type]) => [plain(name!), type!]));

  /** How the page names a queue: what differs between queues of one kind is a placeholder. */
  function nameOnPage({ name }: QueueSpec): string {
    const work = WORK_QUEUES.find((queue) => [parkedQueueOf(queue), crashedQueueOf(queue)].includes(name));
    if (work !== undefined) return name.replace(work, '<work queue>');
    return name.replace(/^(retry\.(?:shared|events))\.\d+$/, '$1.<ms>');
  }

  it('lists every queue of the topology and no other, with its type', () => {
    const endpoints: QueueSpec = {
      ...endpointRetryQueue('<endpoint_id>', 0, DEFAULT_RETRY_QUEUE_MARGIN_MS),
      name: 'retry.<endpoint_id>.<delay_ms>',
    };
    expect(endpointRetryQueue('we_1', 2, DEFAULT_RETRY_QUEUE_MARGIN_MS).name).toBe('retry.we_1.2');
    const declared = new Map(
      [...topology.queues, ...topology.singleNodeQueues, endpoints].map((queue) => [
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
    for (const { exchange, queue } of topology.bindings) {
      const row = rows.find(([name]) => plain(name!) === exchange);
      expect(plain(row?.[3] ?? ''), exchange).toBe(queue);
    }
  });
});

describe('docs/operations.md', () => {
  it('lists every metric that the services have and no other, with its app', () => {
    const declared = productionSources().flatMap((file) =>
      [...readText(file).matchAll(/\.(?:counter|gauge|histogram)\(\s*'(\w+)'/g)].map(([, name]) => ({
        name: name!,
        app: file.split('/')[1]!,
      })),
    );
    const documented = tableUnder(readText('docs/operations.md'), 'Metrics');
    const byName = (entries: readonly (readonly [string, string])[]) => Object.fromEntries(entries.toSorted());
    expect(byName(documented.map(([name, app]) => [plain(name!), app!]))).toEqual(
      byName(declared.map(({ name, app }) => [name, app])),
    );
  });
});

describe('docs/delivery-states.md', () => {
  const page = readText('docs/delivery-states.md');

  it('names the states in the order that decides', () => {
    expect(page).toContain(DELIVERY_STATES.map((state) => `\`${state}\``).join(', '));
    for (const state of DELIVERY_STATES) expect(page).toMatch(new RegExp(`--> ${state}:`));
  });

  it('lists every reason with its state', () => {
    const rows = tableUnder(page, 'Reasons').map(([state, reason]) => [plain(state!), plain(reason!)]);
    expect(rows).toEqual([
      ...FAILED_REASONS.map((reason) => ['failed', reason]),
      ...CANCELLED_REASONS.map((reason) => ['cancelled', reason]),
    ]);
  });

  it('gives the default schedule', () => {
    expect(page).toContain(`\`${DEFAULT_RETRY_SCHEDULE}\``);
  });
});
