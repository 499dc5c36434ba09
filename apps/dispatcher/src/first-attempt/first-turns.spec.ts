import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { settled } from '../testing/fakes.js';
import type { EndpointRoom } from './bulk-line.js';
import { FirstTurns, type WaitsAs } from './first-turns.js';

const FIRST_LIMIT = 128;
const LOOK_EVERY_MS = 100;

/** Room as the test says; for any number unless it says otherwise. */
class Room implements EndpointRoom {
  left = Infinity;
  freed: () => void = () => undefined;

  roomOf(): number {
    return this.left;
  }

  onFreed(listener: () => void): void {
    this.freed = listener;
  }
}

const BULK = { endpointId: 'we_1', lane: 'bulk-0', bytes: 1_000 };

/** Work that ends when the test says so; `begun` tells the order. */
function stage(max = 500, busyShare = 0.5) {
  const room = new Room();
  const held = { by: '' };
  const turns = new FirstTurns(
    max,
    () => busyShare,
    room,
    () => held.by === '',
  );
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (name: string, as: WaitsAs = 'event'): Promise<void> =>
    turns.during(as, () => {
      begun.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)!();
    await settled();
  };
  return { room, turns, begun, begin, end, held };
}

const many = (count: number, prefix: string): string[] => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

describe('turns of first attempts', () => {
  it('are given at once until so many are under way, then as others end, in the order of their coming', async () => {
    const { turns, begun, begin, end } = stage();
    const [first, ...later] = many(FIRST_LIMIT + 2, 'a');
    for (const name of [first!, ...later]) void begin(name);
    await settled();
    expect(begun).toHaveLength(FIRST_LIMIT);
    expect(turns.waitingCount).toBe(2);
    await end(first!);
    expect(begun.at(-1)).toBe(`a${FIRST_LIMIT}`);
  });

  it('are given back by work that fails', async () => {
    const { turns, begun, begin } = stage(1);
    await expect(turns.during('event', () => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug');
    void begin('next');
    await settled();
    expect(begun).toEqual(['next']);
  });

  it('are given back as soon as the POST is over, once, while its record still waits to be confirmed', async () => {
    const { turns, begun, begin } = stage(1);
    let confirm = (): void => undefined;
    const first = turns.during('event', async ({ sent }) => {
      sent();
      sent();
      await new Promise<void>((resolve) => (confirm = resolve));
    });
    await settled();
    for (const name of many(2, 'n')) void begin(name);
    await settled();
    expect(begun).toEqual(['n0']);
    confirm();
    await first;
    expect(begun).toEqual(['n0']);
  });

  it('go to bulk once in four while others wait, and every time when none does', async () => {
    const { begun, begin, end } = stage(1);
    for (const name of ['run', ...many(4, 'n')]) void begin(name);
    for (const name of many(3, 'b')) void begin(name, BULK);
    await settled();
    for (let ended = 0; ended < 7; ended++) await end(begun.at(-1)!);
    const order = begun.slice(1);
    expect(order.filter((name) => name.startsWith('n'))).toEqual(many(4, 'n'));
    expect(order.filter((name) => name.startsWith('b'))).toEqual(many(3, 'b'));
    expect(order.slice(0, 4).filter((name) => name.startsWith('b'))).toHaveLength(1);
  });

  it('are shared by bulk and by deliveries with messages of their own where they come after the others', async () => {
    const { begun, begin, end } = stage(1);
    for (const name of ['run', ...many(9, 'n')]) void begin(name);
    for (const name of many(2, 'b')) void begin(name, BULK);
    for (const name of many(2, 'm')) void begin(name, 'message');
    await settled();
    for (let ended = 0; ended < 13; ended++) await end(begun.at(-1)!);
    expect(begun.filter((name) => name.startsWith('n'))).toEqual(many(9, 'n'));
    const kinds = begun.slice(1, 10).map((name) => name[0]);
    expect(['b', 'm'].map((kind) => kinds.filter((one) => one === kind).length)).toEqual([1, 1]);
    expect(
      begun
        .slice(11)
        .map((name) => name[0])
        .toSorted(),
    ).toEqual(['b', 'm', 'n']);
  });

  it('are not for bulk whose endpoint has no room: it holds none, and begins as soon as an attempt has ended', async () => {
    const { room, begun, begin, end, turns } = stage(1);
    room.left = 0;
    for (const name of many(3, 'b')) void begin(name, BULK);
    void begin('n');
    await settled();
    expect(begun).toEqual(['n']);
    expect(turns.waitingCount).toBe(3);
    await end('n');
    expect(begun).toEqual(['n']);
    room.left = 1;
    room.freed();
    await settled();
    expect(begun).toEqual(['n', 'b0']);
  });

  it('are for bulk without room as well once the process is to end', async () => {
    const { room, begun, begin, turns } = stage();
    room.left = 0;
    for (const name of many(3, 'b')) void begin(name, BULK);
    turns.end();
    await settled();
    expect(begun).toEqual(many(3, 'b'));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('of slow receivers go to others after a quarter of a second', async () => {
    const { begun, begin } = stage(32, 0.99);
    for (const name of many(33, 'a')) void begin(name);
    await vi.advanceTimersByTimeAsync(250 - LOOK_EVERY_MS);
    expect(begun).toHaveLength(32);
    await vi.advanceTimersByTimeAsync(2 * LOOK_EVERY_MS);
    expect(begun).toHaveLength(33);
  });

  it('stay with those that have them while none may begin, so that the others do not all begin when they may', async () => {
    const { begun, begin, held } = stage(32, 0.99);
    held.by = 'the broker';
    for (const name of many(100, 'a')) void begin(name);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(begun).toHaveLength(32);
    held.by = '';
    await vi.advanceTimersByTimeAsync(LOOK_EVERY_MS);
    expect(begun).toHaveLength(64);
  });

  it.each([
    ['more', 'has time', 0.5],
    ['fewer', 'has none', 0.99],
  ])('are %s at a time while this process %s', async (_what, _why, share) => {
    const { begun, begin, end } = stage(500, share);
    for (const name of many(600, 'a')) void begin(name);
    await vi.advanceTimersByTimeAsync(LOOK_EVERY_MS);
    if (share < 0.9) return expect(begun).toHaveLength(160);
    for (const name of many(25, 'a')) await end(name);
    expect(begun).toHaveLength(FIRST_LIMIT);
    await end('a25');
    expect(begun).toHaveLength(FIRST_LIMIT + 1);
  });

  it('all come, in any order of ends, and leave no timer behind', async () => {
    const works = fc.array(
      fc.record({ as: fc.constantFrom<WaitsAs[]>('event', 'message', BULK), endsAfter: fc.nat(400) }),
      { maxLength: 150 },
    );
    await fc.assert(
      fc.asyncProperty(works, async (given) => {
        const turns = new FirstTurns(
          40,
          () => 0.5,
          new Room(),
          () => true,
        );
        let done = 0;
        const all = given.map(({ as, endsAfter }) =>
          turns.during(as, async () => {
            await new Promise<void>((resolve) => {
              const timer = setInterval(() => (clearInterval(timer), resolve()), endsAfter + 1);
            });
            done += 1;
          }),
        );
        await vi.advanceTimersByTimeAsync(60_000);
        await Promise.all(all);
        expect(done).toBe(given.length);
        expect(turns.waitingCount).toBe(0);
        expect(vi.getTimerCount()).toBe(0);
      }),
      { numRuns: 25 },
    );
  });
});
