import { i18n } from '@lingui/core';
import { useSyncExternalStore } from 'react';
import { keepChoice, keptChoice } from '../shell/kept-choice.js';
import type catalogue from './en.json';

/** What stands in the catalogues: one file a language, `en.json` first. */
export type TextId = keyof typeof catalogue;
export type Values = Readonly<Record<string, unknown>>;
export type Text = (id: TextId, values?: Values) => string;

export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

type Compiled = Parameters<typeof i18n.load>[1];

const CATALOGUES: Readonly<Record<Language, () => Promise<{ default: unknown }>>> = {
  en: () => import('./en.json'),
  de: () => import('./de.json'),
};

const KEPT_UNDER = 'dashboard.language';

/** The one chosen here before, else the first of the browser's that we have. */
export function preferredLanguage(): Language {
  const wanted = [keptChoice(KEPT_UNDER) ?? '', ...navigator.languages].map((one) => one.slice(0, 2));
  return wanted.find((one): one is Language => LANGUAGES.includes(one as Language)) ?? 'en';
}

/** How many times a language was asked for. */
let asked = 0;

/** Loads a language and shows everything in it, unless another was asked for while it came. */
export async function speak(language: Language): Promise<void> {
  const mine = ++asked;
  const { default: messages } = await CATALOGUES[language]();
  if (mine !== asked) return;
  i18n.loadAndActivate({ locale: language, messages: messages as Compiled });
  document.documentElement.lang = language;
}

/** Shows everything in a language from now on. @throws if its texts can't be loaded; then all stays as it is */
export async function chooseLanguage(language: Language): Promise<void> {
  await speak(language);
  if (currentLanguage() === language) keepChoice(KEPT_UNDER, language);
}

/** Loads the texts of every language: who loses the connection later can still choose one. */
export const loadAllTexts = (): Promise<unknown> => Promise.allSettled(Object.values(CATALOGUES).map((load) => load()));

const subscribe = (changed: () => void): (() => void) => i18n.on('change', changed);

export const text: Text = (id, values) => i18n.t({ id, values: { ...values } });

export const currentLanguage = (): Language => i18n.locale as Language;

/** The language of the page; whoever asks is shown anew when it changes. */
export const useLanguage = (): Language => useSyncExternalStore(subscribe, currentLanguage);

/** Texts by their ids, in the page's language. */
export function useText(): Text {
  useLanguage();
  return text;
}
