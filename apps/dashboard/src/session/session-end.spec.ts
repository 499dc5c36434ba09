import { describe, expect, it } from 'vitest';
import { mayForget, untilTold } from './session-end.js';

const END = '2026-11-28T12:00:00Z';
const before = (minutes: number): number => Date.parse(END) - minutes * 60_000;

describe('the end of a session', () => {
  it('is told five minutes before', () => {
    expect(untilTold({ expires_at: END }, before(7))).toBe(2 * 60_000);
    expect(untilTold({ expires_at: END }, before(4))).toBeLessThan(0);
  });

  it('stays told while the same session is there, however often it is looked for', () => {
    expect(mayForget({ expires_at: END }, { expires_at: END }, before(4))).toBe(false);
    expect(mayForget({ expires_at: END }, { expires_at: END }, before(0))).toBe(false);
  });

  it('is forgotten when another session has begun, or when the session lasts', () => {
    expect(mayForget({ expires_at: '2026-11-28T20:00:00Z' }, { expires_at: END }, before(4))).toBe(true);
    expect(mayForget({ expires_at: END }, { expires_at: END }, before(60))).toBe(true);
  });
});
