import { keepChoice, keptChoice } from './kept-choice.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEPT_UNDER = 'dashboard.theme';

export function preferredTheme(): Theme {
  const kept = keptChoice(KEPT_UNDER);
  return THEMES.find((one) => one === kept) ?? 'system';
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function chooseTheme(theme: Theme): void {
  keepChoice(KEPT_UNDER, theme);
  applyTheme(theme);
}
