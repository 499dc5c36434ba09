import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BulkLine } from './bulk-line.js';

/** A line whose endpoints have as much room as the test says; none unless it says otherwise. */
function stage() {
  const rooms = new Map<string, number>();
  const line = new BulkLine<string>({ roomOf: (endpointId) => rooms.get(endpointId) ?? 0 });
  const add = (endpointId: string, count: number, { now = 0, lane = 'bulk-0', bytes = 1_000 } = {}): void => {
    for (let n = 0; n < count; n++) line.add({ endpointId, lane, bytes }, `${endpointId} ${n}`, now);
  };
  const takeAll = (now = 0): string[] => {
    const taken: string[] = [];
    for (let next = line.takeNext(now); next !== undefined; next = line.takeNext(now)) taken.push(next);
    return taken;
  };
  return { line, rooms, add, takeAll };
}

describe('what is bulk', () => {
  it('begins as far as its endpoint has room, in the order of its coming, and the rest when it has asked', () => {
    const { line, rooms, add, takeAll } = stage();
    rooms.set('a', 2);
    add('a', 5);
    expect(takeAll()).toEqual(['a 0', 'a 1']);
    expect(takeAll()).toEqual([]);
    line.asked('a');
    expect(takeAll()).toEqual(['a 2']);
    expect(line.size).toBe(2);
  });

  it('takes turns by endpoint, and passes over those without room', () => {
    const { rooms, add, takeAll } = stage();
    rooms.set('a', 2).set('c', 2);
    for (const endpointId of ['a', 'b', 'c']) add(endpointId, 3);
    expect(takeAll()).toEqual(['a 0', 'c 0', 'a 1', 'c 1']);
  });

  it('waits for five minutes at most', () => {
    const { add, takeAll } = stage();
    add('a', 2, { now: 60_000 });
    expect(takeAll(359_999)).toEqual([]);
    expect(takeAll(360_000)).toEqual(['a 0', 'a 1']);
  });

  it('waits in any number while its endpoint has its lane alone, and shares half of it with others', () => {
    const { add, takeAll } = stage();
    add('a', 200);
    add('other lane', 1, { lane: 'bulk-1' });
    expect(takeAll()).toEqual([]);
    add('b', 1, { now: 1_000 });
    expect(takeAll(1_000)).toHaveLength(101);
    add('b', 60, { now: 1_000 });
    expect(takeAll(1_000)).toHaveLength(60);
    add('a', 50, { now: 11_001 });
    expect(takeAll(11_001)).toEqual([]);
  });

  it('has the same share as each that still waits, and who has begun with all of his has none', () => {
    const { rooms, add, takeAll } = stage();
    rooms.set('begins', 1);
    add('begins', 1);
    add('many', 80);
    add('half', 50);
    expect(takeAll()).toEqual(['begins 0', ...Array.from({ length: 30 }, (_, n) => `many ${n}`)]);
  });

  it('waits in no more bytes than a quarter of what may be held', () => {
    const { line, add, takeAll } = stage();
    add('a', 300, { bytes: 65_536 });
    expect(takeAll()).toHaveLength(300 - 256);
    expect(line.size).toBe(256);
  });

  it('waits for nothing once the process is to end', () => {
    const { line, add, takeAll } = stage();
    add('a', 2);
    line.end();
    expect(takeAll()).toHaveLength(2);
  });

  it('all comes out, once each and in the order of each endpoint, whatever room there is', () => {
    const works = fc.array(
      fc.record({ endpointId: fc.constantFrom('a', 'b', 'c'), room: fc.nat(3), ms: fc.nat(9_000) }),
    );
    fc.assert(
      fc.property(works, (given) => {
        const { line, rooms, takeAll } = stage();
        const taken: string[] = [];
        const take = (now: number): void => {
          const some = takeAll(now);
          taken.push(...some);
          for (const name of some) line.asked(name.split(' ')[0]!);
        };
        let now = 0;
        for (const [n, { endpointId, room, ms }] of given.entries()) {
          now += ms;
          rooms.set(endpointId, room);
          line.add({ endpointId, lane: 'bulk-0', bytes: 1 }, `${endpointId} ${n}`, now);
          take(now);
        }
        take(now + 300_000);
        expect(line.size).toBe(0);
        expect(new Set(taken).size).toBe(given.length);
        for (const id of ['a', 'b', 'c']) {
          const order = taken.filter((name) => name.startsWith(id)).map((name) => Number(name.split(' ')[1]));
          expect(order).toEqual(order.toSorted((a, b) => a - b));
        }
      }),
    );
  });
});
