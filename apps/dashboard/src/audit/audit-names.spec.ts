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

describe('a value of a field', () => {
  it('is yes or no in the language of the page, and a dash where there is none', () => {
    expect([true, false, null, undefined].map((value) => valueWords('enabled', value, inGerman))).toEqual([
      ...['Ja', 'Nein', '–', '–'],
    ]);
  });

  it.each([
    ['disabled_reason', 'gone', 'its server answered 410 Gone', 'sein Server 410 Gone antwortete'],
    ['disabled_reason', 'owner', 'it was switched off by hand', 'er von Hand ausgeschaltet wurde'],
    ['events', ['submission.created', 'draft.resumed'], 'Submission, Draft resumed', 'Einsendung, Entwurf fortgesetzt'],
    ['state', 'cancelled', 'Cancelled', 'Abgesagt'],
    ['retry_statuses', [404, 429], '404, 429', '404, 429'],
    ['endpoints', [], '–', '–'],
  ])('of %s is told in the words of the page: %j', (field, value, english, german) => {
    expect([valueWords(field, value, inEnglish), valueWords(field, value, inGerman)]).toEqual([english, german]);
  });

  it('that the page has no word for is told as the API does', () => {
    expect(valueWords('events', ['draft.painted'], inGerman)).toBe('draft.painted');
    expect(valueWords('disabled_reason', 'constructor', inGerman)).toBe('constructor');
    expect(valueWords('name', 'gone', inGerman)).toBe('gone');
    expect(valueWords('filter', { state: 'failed' }, inGerman)).toBe('{"state":"failed"}');
  });
});
