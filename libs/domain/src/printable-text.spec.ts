import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeUnprintable, removeUnprintable } from './printable-text.js';

/** C0, DEL, C1, bidirectional controls, line and paragraph separators. */
const HOSTILE = [
  '\u0000',
  '\u001b[2J',
  '\u007f',
  '\u0085',
  '\u009b2J',
  '\u061c',
  '\u200e',
  '\u2028',
  '\u202e',
  '\u2066',
];

describe('text that others wrote', () => {
  it.each(HOSTILE)('is kept without %j', (hostile) => {
    expect(removeUnprintable(`a${hostile[0]}b`)).toBe('ab');
    expect(escapeUnprintable(`a${hostile[0]}b`)).toMatch(/^a\\u[0-9a-f]{4}b$/);
  });

  it('keeps tabs and line feeds where it is kept, and stays on one line where it is printed', () => {
    expect(removeUnprintable('a\tb\nc\rd')).toBe('a\tb\ncd');
    expect(escapeUnprintable('a\tb\nc')).toBe('a\\u0009b\\u000ac');
  });

  it('means the same as JSON when it is escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = escapeUnprintable(JSON.stringify({ text }));
        expect(JSON.parse(line)).toEqual({ text });
        expect(line).toBe(removeUnprintable(line));
      }),
    );
  });

  it('needs no time for 1 MB of it', () => {
    const began = performance.now();
    expect(removeUnprintable('\u009b'.repeat(1_000_000))).toBe('');
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
