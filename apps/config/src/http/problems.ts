import type { FieldProblemDto } from '@form-webhooks/http-api';
import { Problem, PROBLEM_MEDIA_TYPE, unavailable } from '@form-webhooks/http-edge';

/** What this service says with each of its problems. */
export const PROBLEM_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-type': `${PROBLEM_MEDIA_TYPE}; charset=utf-8`,
};

/** Unknown, deleted, or another workspace's: nobody can tell which. */
export const notFound = (what: string): Problem => new Problem(404, `There is no such ${what}.`);

/** The same of a form: what comes from a form service that has not told of it yet is the usual reason. */
export const formNotFound = (): Problem =>
  new Problem(404, 'There is no such form. PUT /v1/forms/{form_id} registers one.');

const BUSY = 'busy';
const BUSY_RETRY_MS = 1_000;

/** As many as may do what nobody is asked a credential for do it at the moment: no fault, and nothing for the log. */
export const busy = (detail: string): Problem => unavailable(BUSY_RETRY_MS, detail, BUSY);

export const isBusy = ({ more }: Problem): boolean => more.code === BUSY;

/** What an answer names at most: one is never much longer than what was sent, whatever that was. */
const MAX_ERRORS = 50;

/** All that is wrong with what the caller sent, at once; of very much the first. */
export const invalid = (...errors: readonly FieldProblemDto[]): Problem =>
  new Problem(422, detailOf(errors), {
    errors: errors.slice(0, MAX_ERRORS),
    ...(errors.length === 1 ? { code: errors[0]!.code } : {}),
  });

function detailOf(errors: readonly FieldProblemDto[]): string {
  if (errors.length === 1) return errors[0]!.message;
  const told = errors.length > MAX_ERRORS ? `; here are the first ${MAX_ERRORS}` : '';
  return `${errors.length} members are not valid${told}.`;
}
