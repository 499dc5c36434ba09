import { faultOfHeaderName, faultOfHeaderValue, type HeaderFault } from '@form-webhooks/domain';
import type { FieldProblemDto } from '@form-webhooks/http-api';

/** The headers to set, by names in lower case, and with null those to remove. */
export type HeaderChanges = ReadonlyMap<string, string | null>;

/** How much of what a caller calls a name is repeated to him. */
const MAX_REPEATED = 80;

/**
 * Reads what a caller wants of an endpoint's headers.
 * @param reserved names in lower case that no endpoint's header can have
 * @param mayRemove whether null is a value: where there are headers that can be removed
 * @returns the changes, or all that is wrong with them; no value is repeated in it
 */
export function readHeaderChanges(
  given: Readonly<Record<string, unknown>>,
  reserved: ReadonlySet<string>,
  mayRemove: boolean,
): { readonly changes: HeaderChanges; readonly problems: readonly FieldProblemDto[] } {
  const changes = new Map<string, string | null>();
  const problems: FieldProblemDto[] = [];
  for (const [name, value] of Object.entries(given)) {
    const problem = problemOf(name, value, reserved, mayRemove) ?? repeated(name, changes);
    if (problem) problems.push(problem);
    else changes.set(name.toLowerCase(), value as string | null);
  }
  return { changes, problems };
}

function problemOf(
  name: string,
  value: unknown,
  reserved: ReadonlySet<string>,
  mayRemove: boolean,
): FieldProblemDto | undefined {
  const fault = faultOfHeaderName(name, reserved);
  if (fault) return problem(name, fault);
  if (value === null && mayRemove) return undefined;
  if (typeof value !== 'string') return problem(name, { code: 'type', message: 'must have a text as its value' });
  const wrong = faultOfHeaderValue(value);
  return wrong && problem(name, wrong);
}

const repeated = (name: string, changes: HeaderChanges): FieldProblemDto | undefined =>
  changes.has(name.toLowerCase()) ? problem(name, { code: 'repeated', message: 'is given twice' }) : undefined;

function problem(
  name: string,
  { code, message }: { readonly code: string } & Pick<HeaderFault, 'message'>,
): FieldProblemDto {
  const field = `headers.${name.slice(0, MAX_REPEATED)}`;
  return { field, code, message: `${field} ${message}.` };
}
