import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTraceParent, readTraceParent, traceFactsOf } from './trace-parent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const hex = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 15 }), { minLength: length, maxLength: length })
    .map((digits) => digits.map((digit) => digit.toString(16)).join(''))
    .filter((text) => !/^0+$/.test(text));

describe('a traceparent', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(hex(32), hex(16), fc.boolean(), (traceId, spanId, sampled) => {
        const text = formatTraceParent({ traceId, spanId, sampled });
        expect(readTraceParent(text)).toBe(text);
        expect(traceFactsOf(text)).toEqual({ traceId, spanId, sampled });
      }),
    );
  });

  it.each([
    ['of flags that nobody has defined yet only the known one is kept', `00-${TRACE}-${SPAN}-ff`],
    ['of a later version only the known members are kept', `cc-${TRACE}-${SPAN}-01-what-the-future-brings`],
  ])('%s', (_what, text) => {
    expect(readTraceParent(text)).toBe(`00-${TRACE}-${SPAN}-01`);
  });

  it.each([
    ['version ff', `ff-${TRACE}-${SPAN}-01`],
    ['more than version 00 has', `00-${TRACE}-${SPAN}-01-`],
    ['a later version with something stuck to the flags', `cc-${TRACE}-${SPAN}-01.x`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['a blank', ` 00-${TRACE}-${SPAN}-01`],
    ['an endless one', `cc-${TRACE}-${SPAN}-01-${'x'.repeat(128)}`],
    ['a list, as Node gives a repeated header', [`00-${TRACE}-${SPAN}-01`]],
    ['nothing', undefined],
  ])('%s is none', (_what, value) => {
    expect(readTraceParent(value)).toBeUndefined();
  });
});
