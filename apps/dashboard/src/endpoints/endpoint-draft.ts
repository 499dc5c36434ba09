import type { EventName } from '@form-webhooks/domain/enumerations';
import * as v from 'valibot';
import type { Endpoint } from '../api/queries.js';
import type { Shapes } from '../api/client.js';
import type { TextId } from '../text/text.js';

/** A header as it stands in the form. */
export interface HeaderDraft {
  readonly name: string;
  readonly value: string;
  /** It is there already, and its value, which nobody is shown, stays unless another is given. */
  readonly isKept: boolean;
}

/** An endpoint's settings as they stand in the form: texts, since people type. */
export interface EndpointDraft {
  readonly url: string;
  readonly description: string;
  readonly events: readonly EventName[];
  readonly headers: readonly HeaderDraft[];
  readonly rateLimit: string;
  readonly retrySchedule: string;
  readonly retryStatuses: string;
  readonly redirectIsSuccess: boolean;
}

export type EndpointChanges = Shapes['UpdateEndpointDto'];

/** Of a change that came after another: it stands there already, it takes nothing back, or its owner has to decide. */
export type AfterOther = 'done' | 'save' | 'ask';

/** The members that a form shows, in its order. */
export const DRAFT_FIELDS = [
  'url',
  'description',
  'events',
  'headers',
  'rateLimit',
  'retrySchedule',
  'retryStatuses',
  'redirectIsSuccess',
] as const satisfies readonly (keyof EndpointDraft)[];

export type DraftProblems = Partial<Record<keyof EndpointDraft, TextId>>;

const listOf = (text: string): string[] => text.split(/[\s,]+/).filter((one) => one !== '');

/** In half of the world the decimals begin with a comma. One before three digits groups thousands elsewhere: no number. */
const rateOf = (text: string): number => Number(text.trim().replace(/^(\d*),(\d{1,2})$/, '$1.$2'));

const rate = v.pipe(v.string(), v.transform(rateOf), v.number(), v.minValue(0.1), v.maxValue(1_000));
const schedule = v.pipe(v.string(), v.transform(listOf), v.array(v.pipe(v.string(), v.regex(/^\d{1,6}(?:s|m|h)$/))));
const status = v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(400), v.maxValue(499), v.notValue(410));
const statuses = v.pipe(v.string(), v.transform(listOf), v.array(status));
const header = v.object({ name: v.pipe(v.string(), v.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/)) });

export const draftOf = (endpoint: Endpoint): EndpointDraft => ({
  url: endpoint.url,
  description: endpoint.description ?? '',
  events: endpoint.events,
  headers: endpoint.header_names.map((name) => ({ name, value: '', isKept: true })),
  rateLimit: endpoint.rate_limit === null ? '' : String(endpoint.rate_limit),
  retrySchedule: endpoint.retry_schedule?.join(', ') ?? '',
  retryStatuses: endpoint.retry_statuses?.join(', ') ?? '',
  redirectIsSuccess: endpoint.redirect_is_success,
});

export const isWrongHeaderName = (one: HeaderDraft): boolean => !v.is(header, one);
export const lacksValue = ({ value, isKept }: HeaderDraft): boolean => value === '' && !isKept;
/** Of two with one name only one could be kept, whatever the case of their letters. */
export const isRepeatedHeader = ({ name }: HeaderDraft, all: readonly HeaderDraft[]): boolean =>
  all.filter((one) => one.name.toLowerCase() === name.toLowerCase()).length > 1;

/** What can be said without asking the service. */
export function problemsOf(draft: EndpointDraft): DraftProblems {
  const isIncomplete = draft.headers.some((one) => isWrongHeaderName(one) || lacksValue(one));
  const isWrong: Partial<Record<keyof EndpointDraft, boolean>> = {
    url: !URL.canParse(draft.url.trim()),
    events: draft.events.length === 0,
    headers: isIncomplete || draft.headers.some((one) => isRepeatedHeader(one, draft.headers)),
    rateLimit: draft.rateLimit.trim() !== '' && !v.is(rate, draft.rateLimit),
    retrySchedule: !v.is(schedule, draft.retrySchedule),
    retryStatuses: !v.is(statuses, draft.retryStatuses),
  };
  const words: DraftProblems = {
    url: 'url.invalid',
    events: 'endpoint.events.none',
    headers: isIncomplete ? 'settings.headers.wrong' : 'settings.headers.twice',
    rateLimit: 'settings.rate.wrong',
    retrySchedule: 'settings.schedule.wrong',
    retryStatuses: 'settings.statuses.wrong',
  };
  return Object.fromEntries(Object.entries(words).filter(([field]) => isWrong[field as keyof EndpointDraft]));
}

/** Which members differ from those of the endpoint that the draft began with. */
export function changedFields(draft: EndpointDraft, base: EndpointDraft): (keyof EndpointDraft)[] {
  return DRAFT_FIELDS.filter((field) => JSON.stringify(draft[field]) !== JSON.stringify(base[field]));
}

/** What to ask the service for: the members that were changed, and no other. */
export function changesOf(draft: EndpointDraft, base: EndpointDraft): EndpointChanges {
  const all = allOf(draft, base);
  return changedFields(draft, base).reduce<EndpointChanges>((sum, field) => ({ ...sum, ...all[field] }), {});
}

/**
 * What to do about a draft whose endpoint has been changed since `base`, perhaps by the same person: by a switch, a new
 * secret, or a save whose answer was lost. Nobody is asked unless a member that was changed here has become another one
 * there than it was, and than it is to be.
 */
export function afterOther(draft: EndpointDraft, base: EndpointDraft, now: EndpointDraft): AfterOther {
  const [asked, there] = [allOf(draft, now), allOf(now, now)];
  const left = changedFields(draft, base).filter(
    (field) => JSON.stringify(asked[field]) !== JSON.stringify(there[field]),
  );
  if (left.length === 0) return 'done';
  // A value that was given anew there doesn't show, and one that is given here was meant for the URL that stood here.
  if (left.includes('headers') && givesValue(draft)) return 'ask';
  const changedThere = changedFields(now, base);
  return left.some((field) => changedThere.includes(field)) ? 'ask' : 'save';
}

export const givesValue = ({ headers }: EndpointDraft): boolean => headers.some(({ value }) => value !== '');

/** What each member of a draft asks for. */
function allOf(draft: EndpointDraft, base: EndpointDraft): Readonly<Record<keyof EndpointDraft, EndpointChanges>> {
  return {
    url: { url: draft.url.trim() },
    description: { description: draft.description.trim() || null },
    events: { events: [...draft.events] },
    headers: { headers: headerChanges(draft, base) },
    rateLimit: { rate_limit: draft.rateLimit.trim() === '' ? null : rateOf(draft.rateLimit) },
    retrySchedule: { retry_schedule: listOf(draft.retrySchedule).length === 0 ? null : listOf(draft.retrySchedule) },
    retryStatuses: {
      retry_statuses: listOf(draft.retryStatuses).length === 0 ? null : listOf(draft.retryStatuses).map(Number),
    },
    redirectIsSuccess: { redirect_is_success: draft.redirectIsSuccess },
  };
}

/**
 * A draft brought over to what the endpoint has become: what was changed since `base` stays as it was typed, all else is
 * as it is now, so that nobody's change is undone by a form that was opened before it.
 */
export function broughtOver(draft: EndpointDraft, base: EndpointDraft, now: EndpointDraft): EndpointDraft {
  return changedFields(draft, base).reduce((sum, field) => ({ ...sum, [field]: draft[field] }), now);
}

/** Those that are gone as null, those that got a value with it; the others are not named, and stay. */
function headerChanges(draft: EndpointDraft, base: EndpointDraft): Record<string, string | null> {
  const names = new Set(draft.headers.map(({ name }) => name.toLowerCase()));
  const gone = base.headers
    .filter(({ name }) => !names.has(name.toLowerCase()))
    .map(({ name }) => [name, null] as const);
  const set = draft.headers.filter(({ value }) => value !== '').map(({ name, value }) => [name, value] as const);
  return Object.fromEntries([...gone, ...set]);
}
