import { expect, it } from 'vitest';
import { notLoadedWords } from './not-loaded.js';

it.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['en-GB', 'en'],
  ['den', 'en'],
  ['', 'en'],
])('a page without its texts speaks the language of a browser of %j as far as it can: %s', (language, lang) => {
  const words = notLoadedWords(language);
  expect(words.lang).toBe(lang);
  expect(words.title).not.toBe('');
});
