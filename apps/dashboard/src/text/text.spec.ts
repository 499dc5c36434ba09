import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { chooseLanguage, currentLanguage, loadAllTexts } from './text.js';

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', { setItem: (key: string, value: string) => void kept.set(key, value) });
  vi.stubGlobal('document', { documentElement: {} });
});
afterAll(() => void vi.unstubAllGlobals());

it('keeps a chosen language once everything is shown in it', async () => {
  await loadAllTexts();
  await chooseLanguage('de');
  expect(currentLanguage()).toBe('de');
  expect([...kept.values()]).toEqual(['de']);
});

it('keeps no language whose texts could not be loaded, and says so to who has chosen it', async () => {
  await chooseLanguage('en');
  kept.clear();
  await expect(chooseLanguage('xx' as 'en')).rejects.toThrow();
  expect(currentLanguage()).toBe('en');
  expect([...kept.values()]).toEqual([]);
});
