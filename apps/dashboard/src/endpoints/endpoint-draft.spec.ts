import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../api/queries.js';
import { afterOther, broughtOver, changedFields, changesOf, draftOf, problemsOf } from './endpoint-draft.js';

const BASE = draftOf({
  url: 'https://hooks.example.com/',
  description: null,
  events: ['submission.created'],
  header_names: ['authorization', 'x-old'],
  rate_limit: 5,
  retry_schedule: ['30s', '5m'],
  retry_statuses: null,
  redirect_is_success: false,
} as unknown as Endpoint);

const SET = { name: 'x-new', value: 'v', isKept: false };
const NEW = { name: 'x-new', value: '', isKept: true };

describe("an endpoint's draft", () => {
  it('asks for nothing while nothing was changed', () => {
    expect(changesOf(BASE, BASE)).toEqual({});
    expect(problemsOf(BASE)).toEqual({});
  });

  it('asks for what was changed alone, and clears what was emptied', () => {
    const draft = { ...BASE, rateLimit: ' ', retrySchedule: '1m 2h', retryStatuses: '404,429', description: ' x ' };
    expect(changesOf(draft, BASE)).toEqual({
      rate_limit: null,
      retry_schedule: ['1m', '2h'],
      retry_statuses: [404, 429],
      description: 'x',
    });
  });

  it('keeps headers whose value nobody gave, and removes those that are gone', () => {
    const headers = [
      { name: 'authorization', value: '', isKept: true },
      { name: 'X-New', value: 'v', isKept: false },
    ];
    expect(changesOf({ ...BASE, headers }, BASE)).toEqual({ headers: { 'x-old': null, 'X-New': 'v' } });
  });

  it('undoes nothing that somebody else has changed in a field that was not touched', () => {
    const theirs = { ...BASE, rateLimit: '50', headers: [], description: 'theirs' };
    const mine = { ...BASE, description: 'mine' };
    expect(changesOf(mine, BASE)).toEqual({ description: 'mine' });
    expect(broughtOver(mine, BASE, theirs)).toEqual({ ...theirs, description: 'mine' });
    expect(changedFields(broughtOver(mine, BASE, theirs), theirs)).toEqual(['description']);
  });

  it('keeps what is typed on while it is saved, and takes over what came of the saving', () => {
    const sent = { ...BASE, description: 'sent' };
    const saved = { ...sent, rateLimit: '50' };
    const typed = { ...sent, description: 'sent and more' };
    expect(changesOf(broughtOver(typed, sent, saved), saved)).toEqual({ description: 'sent and more' });
  });

  it.each([
    ['0,5', 0.5],
    ['0.5', 0.5],
    [' 12,25 ', 12.25],
    ['1000', 1_000],
  ])('takes a rate of %j, with a comma as with a point', (rateLimit, rate_limit) => {
    const draft = { ...BASE, rateLimit };
    expect(problemsOf(draft)).toEqual({});
    expect(changesOf(draft, BASE)).toEqual({ rate_limit });
  });

  it.each(['1,000', '0,05', '1.000,5', 'many', ',', '1001'])('takes no rate of %j', (rateLimit) => {
    expect(problemsOf({ ...BASE, rateLimit })).toEqual({ rateLimit: 'settings.rate.wrong' });
  });

  it.each<readonly [string, Partial<typeof BASE>, Partial<typeof BASE>, string]>([
    ['saves when nothing of the form has changed there', { url: 'https://b.example.com/' }, {}, 'save'],
    ['saves when others changed what was not touched here', { rateLimit: '7' }, { description: 'theirs' }, 'save'],
    [
      'is done when all of it stands there already',
      { rateLimit: '7', events: [] },
      { rateLimit: '7', events: [] },
      'done',
    ],
    ['is done when it stands there as the service writes it', { rateLimit: ' 7.0 ' }, { rateLimit: '7' }, 'done'],
    ['saves the rest when a part of it stands there', { rateLimit: '7', url: 'x:' }, { rateLimit: '7' }, 'save'],
    ['asks when a field has become something else there', { rateLimit: '7' }, { rateLimit: '8' }, 'ask'],
    [
      'asks when a header was added there',
      { headers: BASE.headers.slice(1) },
      { headers: BASE.headers.toSpliced(0, 0, NEW) },
      'ask',
    ],
    [
      'is done when the same header is gone there',
      { headers: BASE.headers.slice(1) },
      { headers: BASE.headers.slice(1) },
      'done',
    ],
    [
      'asks where only a value nobody is shown could be the same',
      { headers: [SET] },
      { headers: [{ ...SET, value: '', isKept: true }] },
      'ask',
    ],
    [
      "asks before a header's value goes to a URL that became another there",
      { headers: [...BASE.headers, SET] },
      { url: 'https://b.example.com/' },
      'ask',
    ],
    [
      "asks before a header's value is written over one that may have become another there",
      { headers: BASE.headers.map((one, n) => (n === 0 ? { ...one, value: 'v', isKept: false } : one)) },
      {},
      'ask',
    ],
  ])('%s', (_promise, mine, theirs, next) => {
    expect(afterOther({ ...BASE, ...mine }, BASE, { ...BASE, ...theirs })).toBe(next);
  });

  it('says what is wrong before the service is asked', () => {
    const draft = {
      ...BASE,
      url: 'nope',
      events: [],
      rateLimit: '0',
      retrySchedule: '5 minutes',
      retryStatuses: '410',
    };
    expect(Object.keys(problemsOf(draft)).sort()).toEqual([
      'events',
      'rateLimit',
      'retrySchedule',
      'retryStatuses',
      'url',
    ]);
    expect(problemsOf({ ...BASE, headers: [{ name: 'no name', value: 'x', isKept: false }] })).toHaveProperty(
      'headers',
    );
  });

  it('takes no header twice, of which one would be lost without a word', () => {
    const twice = { headers: 'settings.headers.twice' };
    expect(problemsOf({ ...BASE, headers: [SET, { ...SET, value: 'other' }] })).toEqual(twice);
    expect(problemsOf({ ...BASE, headers: [...BASE.headers, { ...SET, name: 'X-Old' }] })).toEqual(twice);
    expect(problemsOf({ ...BASE, headers: [...BASE.headers, SET] })).toEqual({});
  });
});
