import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DELIVERY_STATES } from '../enumerations.js';
import {
  afterAllTries,
  afterDeferral,
  afterRetry,
  comparePositions,
  compareStandings,
  FIRST_POSITION,
  isFinal,
  rankOf,
  type Standing,
} from './position.js';

const small = fc.nat(3);
const position = fc.record({ generation: small, try: small, deferrals: small });
const standing: fc.Arbitrary<Standing> = fc.record({ position, state: fc.constantFrom(...DELIVERY_STATES) });

const maximum = (standings: readonly Standing[]): Standing =>
  standings.reduce((best, next) => (compareStandings(best, next) < 0 ? next : best));

const at = (generation: number, tryIndex: number, deferrals: number, state: Standing['state']): Standing => ({
  position: { generation, try: tryIndex, deferrals },
  state,
});

describe('positions', () => {
  it('grow with every step', () => {
    fc.assert(
      fc.property(position, (before) => {
        expect(comparePositions(before, afterDeferral(before))).toBeLessThan(0);
        expect(comparePositions(before, afterRetry(before))).toBeLessThan(0);
        expect(comparePositions(afterDeferral(before), afterRetry(before))).toBeLessThan(0);
      }),
    );
  });

  it('of what its owner called off are above all that an attempt in flight still tells, but success and replays', () => {
    fc.assert(
      fc.property(standing, ({ position: called, state }) => {
        const calledOff: Standing = { position: afterAllTries(called), state: 'cancelled' };
        for (const told of [called, afterRetry(called), afterDeferral(called), afterRetry(afterRetry(called))]) {
          const stays = compareStandings({ position: told, state }, calledOff) < 0;
          expect(stays).toBe(state !== 'delivered');
        }
        const replayed = { generation: called.generation + 1, try: 0, deferrals: 0 };
        expect(compareStandings(calledOff, { position: replayed, state: 'pending' })).toBeLessThan(0);
      }),
    );
  });

  it('follow the table in docs/delivery-states.md: a deferral keeps the try, a retry starts deferrals anew', () => {
    expect(afterDeferral(FIRST_POSITION)).toEqual({ generation: 0, try: 0, deferrals: 1 });
    expect(afterRetry({ generation: 2, try: 1, deferrals: 5 })).toEqual({ generation: 2, try: 2, deferrals: 0 });
  });
});

describe('standings', () => {
  it('are in a total order: antisymmetric, transitive, equal only when they are the same', () => {
    fc.assert(
      fc.property(standing, standing, standing, (a, b, c) => {
        expect(Math.sign(compareStandings(a, b)) + Math.sign(compareStandings(b, a))).toBe(0);
        if (compareStandings(a, b) <= 0 && compareStandings(b, c) <= 0)
          expect(compareStandings(a, c)).toBeLessThanOrEqual(0);
        if (compareStandings(a, b) === 0) expect(a).toEqual(b);
      }),
    );
  });

  it('have one maximum in whatever order and however often they arrive', () => {
    const arrivals = fc
      .array(standing, { minLength: 1, maxLength: 8 })
      .chain((records) =>
        fc.tuple(
          fc.constant(records),
          fc.shuffledSubarray([...records, ...records], { minLength: records.length * 2 }),
        ),
      );
    fc.assert(
      fc.property(arrivals, ([records, arrived]) => {
        expect(maximum(arrived)).toEqual(maximum(records));
      }),
    );
  });

  it.each<[string, Standing, Standing]>([
    ['a later generation supersedes what was delivered', at(0, 9, 9, 'delivered'), at(1, 0, 0, 'pending')],
    ['delivered absorbs within a generation', at(0, 5, 0, 'retrying'), at(0, 0, 0, 'delivered')],
    ['delivered absorbs also what failed further on', at(0, 7, 0, 'failed'), at(0, 1, 0, 'delivered')],
    ['a later try supersedes', at(0, 0, 9, 'retrying'), at(0, 1, 0, 'pending')],
    ['a later deferral supersedes', at(0, 1, 0, 'retrying'), at(0, 1, 1, 'retrying')],
    ['equal positions: retrying over pending', at(0, 0, 0, 'pending'), at(0, 0, 0, 'retrying')],
    ['equal positions: cancelled over retrying', at(0, 0, 0, 'retrying'), at(0, 0, 0, 'cancelled')],
    ['equal positions: failed over cancelled', at(0, 0, 0, 'cancelled'), at(0, 0, 0, 'failed')],
  ])('%s', (_what, less, more) => {
    expect(compareStandings(less, more)).toBeLessThan(0);
  });

  it('rank in the order of the drawing, and three of them are final', () => {
    expect([...DELIVERY_STATES].sort((a, b) => rankOf(a) - rankOf(b))).toEqual([
      'pending',
      'retrying',
      'cancelled',
      'failed',
      'delivered',
    ]);
    expect(DELIVERY_STATES.filter(isFinal)).toEqual(['cancelled', 'failed', 'delivered']);
  });
});
