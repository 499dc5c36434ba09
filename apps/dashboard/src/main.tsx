import './styles/base.css';
import './styles/parts.css';
import './styles/views.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { takeCode } from './session/session.js';
import { applyTheme, preferredTheme } from './shell/theme.js';
import { preferredLanguage, speak } from './text/text.js';

const code = takeCode();
applyTheme(preferredTheme());
await speak(preferredLanguage());
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App code={code} />
  </StrictMode>,
);
