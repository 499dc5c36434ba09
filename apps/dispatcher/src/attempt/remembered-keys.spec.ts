import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RememberedKeys } from './remembered-keys.js';

const key = fc.constantFrom(...'abcdefghij');

it('remembers as many keys as it must, those seen last, and at most twice as many', () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (seen, atLeast) => {
      const keys = new RememberedKeys(atLeast);
      for (const one of seen) keys.add(one);
      const lastFirst = [...new Set(seen.toReversed())];
      const known = lastFirst.filter((one) => keys.has(one));
      expect(known).toEqual(lastFirst.slice(0, known.length));
      expect(known.length).toBeGreaterThanOrEqual(Math.min(atLeast, lastFirst.length));
      expect(known.length).toBeLessThanOrEqual(2 * atLeast);
    }),
  );
});

it('remembers the last of a million', () => {
  const keys = new RememberedKeys(50_000);
  for (let n = 0; n < 1_000_000; n++) keys.add(String(n));
  expect([keys.has('999999'), keys.has('950001'), keys.has('899999')]).toEqual([true, true, false]);
});
