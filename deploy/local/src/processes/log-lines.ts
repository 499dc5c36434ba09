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

/** A service's JSON log line as people read it. What is no such line (a crash, a warning of Node) stays as it is. */
export function renderLogLine(line: string): string {
  const record = parseRecord(line);
  if (!record) return line;
  const facts = Object.entries(record)
    .filter(([name]) => !SHOWN_APART.has(name))
    .map(([name, value]) => `${name}=${renderValue(value)}`);
  const parts = [timeOf(record['time']), levelOf(record['level']), textOf(record['msg']), ...facts];
  return shortened(parts.filter((part) => part !== '').join(' '), LONGEST_LINE);
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
