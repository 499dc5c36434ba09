import { InvalidJson, readRawMembers, type RawMember } from '@form-webhooks/domain';
import type { FieldProblemDto } from '@form-webhooks/http-api';
import { badRequest, Problem } from '@form-webhooks/http-edge';
import { isNameOfEveryObject } from './object-names.js';
import { invalid } from './problems.js';

/**
 * Members and items of a body, in all its depth. Twice what the largest call names; what judges them afterwards takes the
 * square of their number (class-transformer compares each name with all before it): a tenth of a second for 10,000.
 */
const MAX_VALUES = 2_000;

/**
 * The value of a JSON body; undefined for an empty one. Depth, encoding and syntax are checked in one bounded pass
 * before anything is built from the content.
 * @throws Problem 400 if it can't be parsed, 422 if it is no object, too much of one, or names a member twice
 */
export function parseJsonBody(bytes: Buffer): object | undefined {
  if (bytes.length === 0) return undefined;
  const repeated = repeatedPaths(membersOf(bytes));
  if (repeated.length > 0) {
    throw invalid(
      ...repeated.map((field) => problemOf(field, 'duplicate_member', `"${shown(field)}" is given twice.`)),
    );
  }
  const value = JSON.parse(bytes.toString('utf8')) as object;
  if (valuesIn(value) > MAX_VALUES) throw invalid(problemOf('', 'too_many_members', TOO_MANY));
  const unsafe = unsafePaths(value, '');
  if (unsafe.length > 0) {
    throw invalid(...unsafe.map((path) => problemOf(path, 'unknown_member', `There is no member "${shown(path)}".`)));
  }
  return value;
}

/** At the top and in what lies there, such as a filter: no call takes objects deeper down. Of two values one would win. */
function repeatedPaths(members: readonly RawMember[]): string[] {
  const inside = members
    .filter(({ value }) => value.kind === 'object')
    .flatMap(({ name, value }) => repeatedNames(readRawMembers(value.bytes)).map((one) => `${shown(name)}.${one}`));
  return [...repeatedNames(members), ...inside];
}

/** Each once, so that an answer is never longer than what was sent; in one pass, because anyone may send thousands. */
function repeatedNames(members: readonly RawMember[]): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { name } of members) (seen.has(name) ? repeated : seen).add(name);
  return [...repeated];
}

function membersOf(bytes: Buffer): readonly RawMember[] {
  try {
    return readRawMembers(bytes);
  } catch (error) {
    if (!(error instanceof InvalidJson)) throw error;
    throw problemFor(error);
  }
}

function problemFor(error: InvalidJson): Problem {
  const sentence = `${error.message}.`;
  if (error.code === 'not_an_object') return invalid(problemOf('', 'type', 'The body must be a JSON object.'));
  if (error.code === 'bad_json' || error.code === 'bad_encoding') return badRequest(`Unreadable body: ${sentence}`);
  return invalid(problemOf('', error.code, sentence));
}

const TOO_MANY = `The body has more than ${MAX_VALUES} members and items.`;

function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value);
  return inside.reduce<number>((sum, one) => sum + valuesIn(one), inside.length);
}

function unsafePaths(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return isNameOfEveryObject(name) ? [at] : unsafePaths(member, shown(at));
  });
}

const problemOf = (field: string, code: string, message: string): FieldProblemDto => ({
  field: shown(field),
  code,
  message,
});

/** A caller's own words come back short: an answer is no place to store them. */
const shown = (name: string): string => (name.length > 100 ? `${name.slice(0, 100)}…` : name);
