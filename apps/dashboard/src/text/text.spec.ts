import { i18n } from '@lingui/core';
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

it('shows and keeps the language that was chosen last, whichever comes first', async () => {
  const shown: string[] = [];
  const stop = i18n.on('change', () => shown.push(currentLanguage()));
  await Promise.all([chooseLanguage('de'), chooseLanguage('en')]);
  stop();
  expect(shown).toEqual(['en']);
  expect([...kept.values()]).toEqual(['en']);
});

it('keeps no language whose texts could not be loaded, and says so to who has chosen it', async () => {
  await chooseLanguage('en');
  kept.clear();
  await expect(chooseLanguage('xx' as 'en')).rejects.toThrow();
  expect(currentLanguage()).toBe('en');
  expect([...kept.values()]).toEqual([]);
});
