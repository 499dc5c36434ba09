import { describe, expect, it } from 'vitest';
import { partLeft } from './left-behind.js';

const element = (name: string, isConnected: boolean, isPart = true) => ({
  name,
  isConnected,
  matches: () => isPart,
});

describe('the focus of what has vanished', () => {
  it('goes to the nearest part of the page that is left around it', () => {
    const around = [
      element('button', false, false),
      element('fieldset', false),
      element('div', true, false),
      element('section', true),
      element('main', true),
    ];
    expect(partLeft(around)?.name).toBe('section');
  });

  it('goes to none when all of it has vanished', () => {
    expect(partLeft([element('button', false, false), element('section', false)])).toBeUndefined();
  });
});
