import { afterEach, expect, it, vi } from 'vitest';
import { preferredLanguage } from '../text/text.js';
import { keepChoice, keptChoice } from './kept-choice.js';
import { preferredTheme } from './theme.js';

afterEach(() => void vi.unstubAllGlobals());

it('is there again', () => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, choice: string) => void kept.set(name, choice),
  });
  expect(keptChoice('theme')).toBeNull();
  keepChoice('theme', 'dark');
  expect(keptChoice('theme')).toBe('dark');
});

it('keeps no page from being shown in a browser that keeps nothing', () => {
  const refuse = (): never => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
  vi.stubGlobal('navigator', { languages: ['de-AT', 'en'] });
  keepChoice('theme', 'dark');
  expect(preferredTheme()).toBe('system');
  expect(preferredLanguage()).toBe('de');
});
