import { useState } from 'react';
import { chooseLanguage, LANGUAGES, useLanguage, useText, type Language } from '../text/text.js';
import { chooseTheme, preferredTheme, THEMES, type Theme } from './theme.js';

/** Each in itself, so that who reads no other finds it. */
const NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

export function Preferences() {
  const t = useText();
  const language = useLanguage();
  const [theme, setTheme] = useState(preferredTheme);
  return (
    <div className="preferences">
      <select
        aria-label={t('shell.language')}
        value={language}
        onChange={(event) => void chooseLanguage(event.target.value as Language)}
      >
        {LANGUAGES.map((one) => (
          <option key={one} value={one} lang={one}>
            {NAMES[one]}
          </option>
        ))}
      </select>
      <select
        aria-label={t('shell.theme')}
        value={theme}
        onChange={(event) => {
          const chosen = event.target.value as Theme;
          setTheme(chosen);
          chooseTheme(chosen);
        }}
      >
        {THEMES.map((one) => (
          <option key={one} value={one}>
            {t(`shell.theme.${one}`)}
          </option>
        ))}
      </select>
    </div>
  );
}
