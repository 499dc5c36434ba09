import { LARGE_EVENT_BYTES, OTHER_LANES, type EventLane } from '@form-webhooks/broker';
import type { FormId } from '@form-webhooks/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LaneByRate } from './lane-choice.js';

const SMALL = Buffer.from('}');

function make(perSecond = 20, burst = 200) {
  const clock = { now: 0 };
  const lengths = new Map<EventLane, number>();
  const choice = new LaneByRate(
    { perSecond, burst },
    () => clock.now,
    (lane) => lengths.get(lane) ?? 0,
  );
  const lanesOf = (form: string, count: number, tail = SMALL): EventLane[] =>
    Array.from({ length: count }, () => choice.laneOf({ formId: form as FormId, tail }));
  return { clock, lengths, lanesOf };
}

describe('the lane of an event', () => {
  it('is the normal one for as many of a form as may come at once, and the same bulk lane for all beyond', () => {
    const { lanesOf } = make();
    const lanes = lanesOf('f_1', 1_000);
    expect(lanes.slice(0, 200)).toEqual(Array(200).fill('normal'));
    const beyond = new Set(lanes.slice(200));
    expect(beyond.size).toBe(1);
    expect([...beyond][0]).toMatch(/^bulk-[0-3]$/);
  });

  it('is the normal one again as time passes', () => {
    const { clock, lanesOf } = make();
    lanesOf('f_1', 1_000);
    clock.now += 1_000;
    expect(lanesOf('f_1', 21).filter((lane) => lane === 'normal')).toHaveLength(20);
  });

  it('does not depend on what other forms send', () => {
    const { lanesOf } = make();
    lanesOf('f_flood', 100_000);
    expect(lanesOf('f_1', 200)).toEqual(Array(200).fill('normal'));
  });

  it('is a bulk lane in which few wait, and stays the same while the form sends so much, however many wait then', () => {
    const { clock, lengths, lanesOf } = make(1, 1);
    const preferred = lanesOf('f_1', 2)[1]!;
    clock.now += 600_000;
    lengths.set(preferred, 200);
    const other = lanesOf('f_1', 2)[1]!;
    expect(other).not.toBe(preferred);
    lanesOf('f_1', 100);
    for (const lane of OTHER_LANES) lengths.set(lane, 1_000);
    lengths.set(preferred, 0);
    clock.now += 599_000;
    expect(lanesOf('f_1', 2)[1]).toBe(other);
    clock.now += 600_000;
    expect(lanesOf('f_1', 2)[1]).toBe(preferred);
  });

  it('is another one as soon as that is long of what others send', () => {
    const { lengths, lanesOf } = make(1, 1);
    const preferred = lanesOf('f_1', 20)[1]!;
    lengths.set(preferred, 190);
    expect(lanesOf('f_1', 1)).toEqual([preferred]);
    lengths.set(preferred, 10_000);
    expect(lanesOf('f_1', 1)).not.toEqual([preferred]);
  });

  it('is the shortest bulk lane where all are long', () => {
    const { lengths, lanesOf } = make(1, 1);
    for (const lane of OTHER_LANES) lengths.set(lane, 1_000);
    lengths.set('bulk-2', 999);
    expect(lanesOf('f_1', 2)[1]).toBe('bulk-2');
  });

  it('is that of large events for what is larger than a message should be, and uses up nothing of the rate', () => {
    const { lanesOf } = make();
    expect(new Set(lanesOf('f_1', 500, Buffer.alloc(LARGE_EVENT_BYTES + 1)))).toEqual(new Set(['large']));
    expect(lanesOf('f_1', 1, Buffer.alloc(LARGE_EVENT_BYTES))).toEqual(['normal']);
  });

  it('is one of those that there are, whatever the form is called, and all bulk lanes are used', () => {
    const used = new Set<EventLane>();
    fc.assert(
      fc.property(fc.string(), (form) => {
        const [, second] = make(1, 1).lanesOf(form, 2);
        used.add(second!);
        expect(OTHER_LANES).toContain(second);
      }),
    );
    expect(used.size).toBe(OTHER_LANES.length - 1);
  });
});
