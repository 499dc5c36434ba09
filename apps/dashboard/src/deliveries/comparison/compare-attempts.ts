import type { Attempt } from '../../api/queries.js';
import type { TextId } from '../../text/text.js';
import { isJson, prettyJson } from '../../ui/body/pretty-json.js';
import { comparableAnswer } from '../answer-body.js';
import { lineDifference, type DifferenceLine } from './line-difference.js';

/** Something that two attempts have each in its own way; null where one of them has none. */
export interface DifferentFact {
  readonly label: TextId;
  /** The header's, where it is one. */
  readonly name: string;
  readonly values: readonly [string | null, string | null];
}

export interface AttemptDifference {
  readonly facts: readonly DifferentFact[];
  /** Empty where they are the same. */
  readonly body: readonly DifferenceLine[];
  readonly answer: readonly DifferenceLine[];
  /** A body is not there or not all of it: too long to come along, erased, not for this viewer, or not kept to its end. */
  readonly isPartial: boolean;
}

/** What two attempts of a delivery differ in. Times and durations always do, and stand above each attempt. */
export function compareAttempts(first: Attempt, second: Attempt): AttemptDifference {
  const both = [first, second] as const;
  const facts = [
    factOf('attempt.compare.url', both, ({ request }) => `${request.method} ${request.url}`),
    factOf('attempt.compare.address', both, ({ remote_address: address }) => address),
    factOf('attempt.compare.status', both, ({ response }) => (response === null ? null : String(response.status))),
    factOf('attempt.compare.error', both, ({ error }) => error?.message ?? null),
    ...headerFacts('attempt.compare.request-header', both, ({ request }) => request.headers),
    ...headerFacts('attempt.compare.answer-header', both, ({ response }) => response?.headers ?? {}),
  ];
  const answers = [comparableAnswer(first.response), comparableAnswer(second.response)] as const;
  return {
    facts: facts.filter(({ values: [a, b] }) => a !== b),
    body: bodyDifference(first.request.body, second.request.body),
    answer: bodyDifference(...answers),
    isPartial: both.some(
      ({ request, response }, index) =>
        request.body === null || (response !== null && (answers[index] === null || response.truncated)),
    ),
  };
}

type Both = readonly [Attempt, Attempt];

const factOf = (label: TextId, [a, b]: Both, of: (attempt: Attempt) => string | null, name = ''): DifferentFact => ({
  label,
  name,
  values: [of(a), of(b)],
});

function headerFacts(
  label: TextId,
  both: Both,
  of: (attempt: Attempt) => Readonly<Record<string, string>>,
): DifferentFact[] {
  const names = new Set(both.flatMap((attempt) => Object.keys(of(attempt))));
  return [...names].sort().map((name) => factOf(label, both, (attempt) => of(attempt)[name] ?? null, name));
}

/** Formatted where both are JSON, so that the members that differ stand in lines of their own. */
function bodyDifference(a: string | null, b: string | null): DifferenceLine[] {
  if (a === null || b === null) return [];
  const areJson = isJson(a) && isJson(b);
  return areJson ? lineDifference(prettyJson(a), prettyJson(b)) : lineDifference(a, b);
}
