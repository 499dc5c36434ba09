/** Deeper structures become empty, longer lists one entry: it is a sample. */
const MAX_DEPTH = 8;
const MAX_MEMBERS = 200;

/**
 * Fields of the same names and kinds as somebody submitted, with made-up values: nothing of what she wrote is in them.
 * @param payload the body of a delivery; undefined is returned for one that has no fields
 */
export function sampleOf(payload: string): Readonly<Record<string, unknown>> | undefined {
  const fields = fieldsOf(payload);
  return fields && (madeUp('', fields, 0) as Readonly<Record<string, unknown>>);
}

/** What a test can take over from a form, or why there is nothing. */
export type OwnSample =
  { readonly fields: Readonly<Record<string, unknown>> } | { readonly none: 'nothing' | 'erased' | 'no-fields' };

/**
 * A sample of a form's newest submission.
 * @param payload undefined while nothing was submitted, null if it was erased
 */
export function ownSample(payload: string | null | undefined): OwnSample {
  if (payload === undefined) return { none: 'nothing' };
  if (payload === null) return { none: 'erased' };
  const fields = sampleOf(payload);
  return fields && Object.keys(fields).length > 0 ? { fields } : { none: 'no-fields' };
}

function fieldsOf(payload: string): object | undefined {
  try {
    const { fields } = JSON.parse(payload) as { fields?: unknown };
    return typeof fields === 'object' && fields !== null && !Array.isArray(fields) ? fields : undefined;
  } catch {
    return undefined;
  }
}

function madeUp(name: string, value: unknown, depth: number): unknown {
  if (typeof value === 'number') return 1;
  if (typeof value === 'boolean') return true;
  if (typeof value === 'string') return madeUpText(name, value);
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value))
    return depth < MAX_DEPTH ? value.slice(0, 1).map((one) => madeUp(name, one, depth + 1)) : [];
  const members = depth < MAX_DEPTH ? Object.entries(value).slice(0, MAX_MEMBERS) : [];
  return Object.fromEntries(members.map(([key, one]) => [key, madeUp(key, one, depth + 1)]));
}

/** Of a kind that programs look for where the text is one of it. */
function madeUpText(name: string, text: string): string {
  if (/^[^@\s]+@[^@\s]+$/.test(text)) return 'ada@example.com';
  if (/^https?:\/\//.test(text)) return 'https://example.com/';
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return '2030-01-31T12:00:00Z';
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return '2030-01-31';
  return text === '' ? '' : `Sample ${name}`.trim();
}
