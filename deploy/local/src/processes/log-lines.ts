/** What has its own place in a line, is the same on each, or says `msg` once more; the rest is shown as `name=value`. */
const SHOWN_APART = new Set(['time', 'level', 'msg', 'app', 'pid', 'hostname', 'replica', 'version', 'event_name']);
const LEVELS: Readonly<Record<string, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
const LONGEST_VALUE = 200;
const LONGEST_LINE = 500;

/**
 * A service's JSON log line as people read it. What is no such line (a crash, a warning of Node) stays as it is. There can
 * be thousands a second, and this runs beside what writes them.
 */
export function renderLogLine(line: string): string {
  const record = parseRecord(line);
  if (!record) return line;
  const head = [timeOf(record['time']), levelOf(record['level']), textOf(record['msg'])];
  let text = head.filter((part) => part !== '').join(' ');
  for (const name of Object.keys(record)) {
    if (!SHOWN_APART.has(name)) text += ` ${name}=${renderValue(record[name])}`;
  }
  return shortened(text, LONGEST_LINE);
}

function parseRecord(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value = JSON.parse(line) as Record<string, unknown>;
    return 'level' in value ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The time of day in local time: the date is known to whoever watches. */
function timeOf(value: unknown): string {
  if (typeof value !== 'string' || !OF_OURS.test(value)) return clockOf(value);
  const second = value.slice(0, SECOND_LENGTH);
  if (second !== latest.second) latest = { second, clock: clockOf(value).slice(0, -MS_LENGTH) };
  return latest.clock && latest.clock + value.slice(SECOND_LENGTH, SECOND_LENGTH + MS_LENGTH);
}

/** As our services write it. */
const OF_OURS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SECOND_LENGTH = '2026-11-27T22:15:01'.length;
const MS_LENGTH = '.042'.length;
/** Nearly every line is of the same second as the one before it. */
let latest = { second: '', clock: '' };

function clockOf(value: unknown): string {
  const moment = new Date(typeof value === 'number' || typeof value === 'string' ? value : NaN);
  if (Number.isNaN(moment.getTime())) return '';
  const two = (number: number): string => String(number).padStart(2, '0');
  const clock = [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(two).join(':');
  return `${clock}.${String(moment.getMilliseconds()).padStart(3, '0')}`;
}

const levelOf = (value: unknown): string =>
  (LEVELS[textOf(value)] ?? textOf(value)).toUpperCase().padEnd('ERROR'.length);

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

function renderValue(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? quoteIfNeeded(value) : (errorOf(value) ?? JSON.stringify(value) ?? '');
  return shortened(text, LONGEST_VALUE);
}

const shortened = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest)}…` : text;

/** Of an error only what it says: its stack is in the JSON line. */
function errorOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('message' in value) || !('stack' in value)) return undefined;
  return JSON.stringify(value.message);
}

const quoteIfNeeded = (text: string): string => (/^[^\s"=]+$/.test(text) ? text : JSON.stringify(text));
