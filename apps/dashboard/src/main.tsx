import './styles/base.css';
import './styles/parts.css';
import './styles/views.css';
import { askAhead } from './api/ask-ahead.js';
import { sayNotLoaded } from './not-loaded.js';
import { code, firstAnswer } from './session/enter.js';
import { beginSession } from './session/session.js';
import { applyTheme, preferredTheme } from './shell/theme.js';
import { formShownAt } from './shell/view-of.js';
import { preferredLanguage, speak } from './text/text.js';

// Who is here, the texts and the code of the page come beside each other. In turn they would cost a second.
const beginning = beginSession(code, firstAnswer);
beginning.then(
  ({ form_id: own }) => {
    const formId = formShownAt(location.pathname, own);
    if (formId !== undefined) askAhead(formId);
  },
  // Told by the page. Without this the browser reports it as well, if it comes before the page does.
  () => undefined,
);
applyTheme(preferredTheme());
try {
  const [{ showPage }] = await Promise.all([import('./page.js'), speak(preferredLanguage())]);
  showPage({ code, beginning });
} catch (thrown) {
  sayNotLoaded();
  throw thrown;
}
