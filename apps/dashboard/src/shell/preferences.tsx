import { useState } from 'react';
import { chooseLanguage, LANGUAGES, useLanguage, useText, type Language } from '../text/text.js';
import { chooseTheme, preferredTheme, THEMES, type Theme } from './theme.js';

/** Each in itself, so that who reads no other finds it. */
const NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

/** Language and colours, kept in this browser. */
export function Preferences() {
  const t = useText();
  const [theme, setTheme] = useState(preferredTheme);
  return (
    <div className="preferences">
      <LanguageChoice />
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

function LanguageChoice() {
  const t = useText();
  const language = useLanguage();
  const [isFailed, setFailed] = useState(false);
  const choose = (chosen: Language): void => {
    setFailed(false);
    chooseLanguage(chosen).catch(() => setFailed(true));
  };
  return (
    <>
      <select
        aria-label={t('shell.language')}
        value={language}
        onChange={(event) => choose(event.target.value as Language)}
      >
        {LANGUAGES.map((one) => (
          <option key={one} value={one} lang={one}>
            {NAMES[one]}
          </option>
        ))}
      </select>
      {isFailed && (
        <span className="hint" role="alert">
          {t('shell.language.failed')}
        </span>
      )}
    </>
  );
}
