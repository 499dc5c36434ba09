interface Words {
  readonly lang: string;
  readonly title: string;
  readonly what: string;
  readonly reload: string;
}

/** Not in the catalogues: those come with the very files that are missing where these words are needed. */
const ENGLISH: Words = {
  lang: 'en',
  title: 'This page could not be loaded',
  what: 'There may be no connection, or the service is restarting.',
  reload: 'Load the page anew',
};
const GERMAN: Words = {
  lang: 'de',
  title: 'Diese Seite konnte nicht geladen werden',
  what: 'Vielleicht fehlt die Verbindung, oder der Dienst startet gerade neu.',
  reload: 'Seite neu laden',
};

/** In German for who reads it, else in English. */
export const notLoadedWords = (language: string): Words => (/^de\b/i.test(language) ? GERMAN : ENGLISH);

/** Says in place of the page that its code or its texts did not come: it would stay blank. */
export function sayNotLoaded(): void {
  const { lang, title, what, reload } = notLoadedWords(navigator.language);
  const again = made('button', reload, 'button main');
  again.addEventListener('click', () => location.reload());
  const main = made('main', '', 'alone stack');
  main.append(made('h1', title), made('p', what), again);
  document.documentElement.lang = lang;
  document.getElementById('root')!.replaceChildren(main);
}

function made(tag: 'button' | 'main' | 'h1' | 'p', text: string, look = ''): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = look;
  return element;
}
