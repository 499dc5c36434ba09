// eslint-disable-next-line @nx/enforce-module-boundaries -- the kit ships without its specs, and it is what may import nothing
import { describe, expect, it } from 'vitest';
import { verifyReplayWindow } from './replay-window.js';

const NOW = 1_795_810_757_000;
const SECONDS = NOW / 1_000;

describe('verifyReplayWindow', () => {
  it.each([
    [0, true],
    [300, true],
    [-300, true],
    [301, false],
    [-301, false],
  ])('with the usual five minutes, %i s off is %s', (offset, accepted) => {
    expect(verifyReplayWindow(SECONDS + offset, undefined, NOW)).toBe(accepted);
  });

  it('takes another tolerance', () => {
    expect(verifyReplayWindow(SECONDS - 10, 5, NOW)).toBe(false);
    expect(verifyReplayWindow(SECONDS - 10, 10, NOW)).toBe(true);
  });

  it('uses the current time when none is given', () => {
    expect(verifyReplayWindow(Math.floor(Date.now() / 1_000))).toBe(true);
  });

  it.each([NaN, Infinity, -Infinity, SECONDS + 0.5, NOW, '1795810757', null, undefined])('refuses %s', (timestamp) => {
    expect(verifyReplayWindow(timestamp as number, undefined, NOW)).toBe(false);
  });
});
