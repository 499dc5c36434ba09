import { describe, expect, it } from 'vitest';
import german from '../text/de.json';
import english from '../text/en.json';
import type { Text, TextId, Values } from '../text/text.js';
import { actionName, fieldName, valueWords } from './audit-names.js';

const texts =
  (catalogue: Readonly<Record<TextId, string>>): Text =>
  (id: TextId, values: Values = {}) =>
    catalogue[id].replace(/\{(\w+)\}/g, (_place, name: string) => String(values[name]));
const [inEnglish, inGerman] = [texts(english), texts(german)];

describe('what the audit log calls a field', () => {
  it.each([
    ['rate_limit', 'settings.rate'],
    ['retry_schedule', 'settings.schedule'],
    ['retry_statuses', 'settings.statuses'],
    ['redirect_is_success', 'settings.redirect'],
    ['description', 'endpoint.description'],
    ['events', 'endpoint.events'],
  ] as const)('is for %s what the form calls it, in each language', (field, label) => {
    expect(fieldName(field, inEnglish)).toBe(english[label]);
    expect(fieldName(field, inGerman)).toBe(german[label]);
  });

  it('has a word for whatever entries of a form tell of', () => {
    const fields = [
      ...['url', 'enabled', 'disabled_reason', 'delivery_id', 'secret', 'prepared_secret', 'overlap_seconds'],
      ...['expires_at', 'state', 'generation', 'filter', 'delivery_ids', 'matched', 'name', 'endpoints', 'scopes'],
    ];
    expect(fields.filter((field) => fieldName(field, inEnglish) === field)).toEqual([]);
  });

  it('names a header by its own name, and what it does not know as the API does', () => {
    expect(fieldName('headers.X-Token', inEnglish)).toBe('Header X-Token');
    expect(fieldName('max_rate', inEnglish)).toBe('max_rate');
    expect(fieldName('constructor', inGerman)).toBe('constructor');
  });
});

it('says in words what was done by operators and to the form itself', () => {
  for (const action of ['deliveries.paused', 'deliveries.resumed', 'form.registered', 'form.updated', 'form.removed']) {
    expect(actionName(action, inGerman)).toBeDefined();
  }
  expect(actionName('form.painted', inGerman)).toBeUndefined();
});

it('says yes and no in the language of the page', () => {
  expect([valueWords(true, inGerman), valueWords(false, inGerman), valueWords(null, inGerman)]).toEqual([
    ...['Ja', 'Nein', '–'],
  ]);
  expect(valueWords(['draft.resumed'], inGerman)).toBe('["draft.resumed"]');
});
