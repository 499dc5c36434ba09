import type { Language } from './text.js';

const DAY_MS = 86_400_000;

/** The viewer's own way of writing dates, if it is of the page's language: British people read no "AM". */
function localeOf(language: Language): string {
  const own = navigator.languages.find((one) => one.slice(0, 2) === language);
  // A browser can name one that it does not know itself.
  return own !== undefined && /^[A-Za-z]{2}(?:-[A-Za-z0-9]{2,8})*$/.test(own) ? own : language;
}

// Made once for each way of writing: to make one takes longer than to write a view's worth with it.
const formats = new Map<string, Intl.DateTimeFormat>();
const numberFormats = new Map<string, Intl.NumberFormat>();

function numberFormatOf(language: Language, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const found = numberFormats.get(key) ?? new Intl.NumberFormat(language, options);
  numberFormats.set(key, found);
  return found;
}

function formatOf(language: Language, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${name}`;
  const found = formats.get(key) ?? new Intl.DateTimeFormat(localeOf(language), options);
  formats.set(key, found);
  return found;
}

const SECONDS = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
const DATE = { year: 'numeric', month: 'short', day: 'numeric' } as const;

/** Date and time to the second, in the viewer's zone. */
export const fullMoment = (at: string | number, language: Language): string =>
  formatOf(language, 'full', { ...DATE, ...SECONDS }).format(new Date(at));

/** The time alone of what is of the viewer's present day, else with its date, which has a year if it is another one. */
export function shortMoment(at: string, language: Language, now: number): string {
  const [date, present] = [new Date(at), new Date(now)];
  if (present.toDateString() === date.toDateString()) return formatOf(language, 'time', SECONDS).format(date);
  const options = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
  if (present.getFullYear() === date.getFullYear()) return formatOf(language, 'short', options).format(date);
  return formatOf(language, 'short of a year', { year: 'numeric', ...options }).format(date);
}

/** The same in UTC, as the API writes it. */
export const utcMoment = (at: string | number): string =>
  new Date(at).toISOString().replace('T', ' ').replace('Z', ' UTC');

/** The hour or the day that a point of a chart stands for. */
export function pointMoment(at: string, stepMs: number, language: Language): string {
  const options: Intl.DateTimeFormatOptions =
    stepMs >= DAY_MS
      ? { month: 'short', day: 'numeric' }
      : { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' };
  return formatOf(language, stepMs >= DAY_MS ? 'day' : 'hour', options).format(new Date(at));
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** "5 minutes ago", "in 3 hours"; "1 day ago", since what was "yesterday" is told by the calendar and not by hours. */
export function relativeMoment(at: string, language: Language, now: number): string {
  const seconds = Math.round((Date.parse(at) - now) / 1_000);
  const [unit, size] = UNITS.find(([, one]) => Math.abs(seconds) >= one) ?? ['second', 1];
  const numeric = unit === 'day' ? 'always' : 'auto';
  return new Intl.RelativeTimeFormat(language, { numeric }).format(Math.trunc(seconds / size), unit);
}

/** What a date field's text means in the viewer's zone; undefined if it is none. */
export function momentOfField(field: string): string | undefined {
  const ms = Date.parse(field);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** A moment as a field of type `datetime-local` takes it. */
export function fieldOfMoment(at: string | undefined): string {
  if (at === undefined || Number.isNaN(Date.parse(at))) return '';
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export const plainNumber = (value: number, language: Language): string => numberFormatOf(language).format(value);

export const percent = (share: number, language: Language): string =>
  numberFormatOf(language, { style: 'percent', maximumFractionDigits: 1 }).format(share);

const ONE_DIGIT = { maximumFractionDigits: 1 };

/** "87 ms", "1.2 s". */
export function duration(ms: number, language: Language): string {
  if (ms < 1_000) return `${plainNumber(Math.round(ms), language)} ms`;
  return `${numberFormatOf(language, ONE_DIGIT).format(ms / 1_000)} s`;
}

/** "2.1 KB", in units of 1,024 bytes. */
export function byteCount(bytes: number, language: Language): string {
  if (bytes < 1_024) return `${plainNumber(bytes, language)} B`;
  const [size, unit] = bytes < 1_048_576 ? [bytes / 1_024, 'KiB'] : [bytes / 1_048_576, 'MiB'];
  return `${numberFormatOf(language, ONE_DIGIT).format(size)} ${unit}`;
}
