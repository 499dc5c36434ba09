import { describe, expect, it } from 'vitest';
import { patternOf, PERMISSIONS } from './permissions.js';
import { parkedQueues } from './destinations.js';
import { laneQueueOf, OTHER_LANES } from './event-lanes.js';
import type { Owner } from './queue-names.js';
import { foreignExchangesOf, ownTopology, standingTopology } from './topology.js';

const OWNERS: readonly Owner[] = ['config', 'dispatcher', 'ingest'];
const may = (names: readonly string[], name: string): boolean => new RegExp(patternOf(names)).test(name);

describe('the permissions of the broker', () => {
  it.each(OWNERS)('let %s declare what is its own, and nothing that is others’', (owner) => {
    const { configure } = PERMISSIONS[owner];
    for (const other of OWNERS) {
      const { exchanges, queues, singleNodeQueues } = ownTopology(other, standingTopology());
      for (const { name } of [...exchanges, ...queues, ...singleNodeQueues]) {
        expect(may(configure, name), `${owner} ${name}`).toBe(owner === other);
      }
    }
  });

  it.each(OWNERS)('let %s bind its queues and use the exchanges that it waits for', (owner) => {
    const { write, read } = PERMISSIONS[owner];
    for (const { exchange, queue } of ownTopology(owner, standingTopology()).bindings) {
      expect([may(read, exchange), may(write, queue), may(read, queue)]).toEqual([true, true, true]);
    }
    for (const { name } of foreignExchangesOf(owner)) expect(may(write, name) || may(read, name), name).toBe(true);
  });

  it('let config look through all parked queues', () => {
    for (const { parked } of parkedQueues()) expect(may(PERMISSIONS.config.read, parked), parked).toBe(true);
  });

  it('let config look at everything', () => {
    const { exchanges, queues, singleNodeQueues } = standingTopology();
    for (const { name } of [...exchanges, ...queues, ...singleNodeQueues]) {
      expect(may(PERMISSIONS.config.write, name), name).toBe(true);
    }
  });

  it('let ingest look at the lanes that it chooses among, but take nothing from them', () => {
    const { queues, singleNodeQueues } = standingTopology();
    const names = [...queues, ...singleNodeQueues].map(({ name }) => name);
    for (const lane of OTHER_LANES.map(laneQueueOf)) {
      expect([may(PERMISSIONS.ingest.write, lane), may(PERMISSIONS.ingest.read, lane)], lane).toEqual([true, false]);
    }
    expect(names.filter((name) => may(PERMISSIONS.ingest.write, name) && !name.startsWith('ingest.'))).toEqual(
      OTHER_LANES.map(laneQueueOf),
    );
  });

  it('let nobody whom strangers reach put messages into every queue', () => {
    for (const user of ['ingest', 'form-service'] as const)
      expect(may(PERMISSIONS[user].write, 'amq.default')).toBe(false);
  });
});

it.each([
  [[], '', true],
  [[], 'a', false],
  [['a.b'], 'a.b', true],
  [['a.b'], 'axb', false],
  [['a.b'], 'a.b.c', false],
  [['a.*', 'x'], 'a.b', true],
  [['a.*', 'x'], 'xa.b', false],
  [['a.*', 'x'], 'x', true],
])('the pattern of %j, held against %j, matches: %s', (names, name, matches) => {
  expect(new RegExp(patternOf(names)).test(name)).toBe(matches);
});
