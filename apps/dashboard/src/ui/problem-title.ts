import type { ApiProblem } from '../api/problem.js';
import type { TextId, Values } from '../text/text.js';

/** Where one status has several causes, the service names the one. */
const BY_CODE: ReadonlyMap<string, TextId> = new Map<string, TextId>([
  ['limit_reached', 'problem.limit'],
  ['in_progress', 'problem.in-progress'],
  ['answer_lost', 'problem.answer-lost'],
  // Something was changed before it was pressed again.
  ['idempotency_key_reused', 'problem.answer-lost'],
  ['endpoint_deleted', 'reason.endpoint_deleted'],
  ['endpoint_disabled', 'problem.endpoint-off'],
  ['not_final', 'problem.not-final'],
  ['final', 'problem.final'],
  ['due_now', 'problem.due-now'],
  ['test_send', 'problem.test-send'],
  ['payload_erased', 'body.erased'],
  ['payload_missing', 'reason.payload_missing'],
]);

/** What is wrong with the one member that was not taken. */
const BY_FIELD_CODE: ReadonlyMap<string, TextId> = new Map<string, TextId>([
  ['required', 'problem.field.required'],
  ['empty', 'problem.field.required'],
  ['format', 'problem.field.format'],
  ['type', 'problem.field.format'],
  ['not_allowed', 'problem.field.not-allowed'],
  ['repeated', 'problem.field.repeated'],
  ['too_many', 'problem.field.too-many'],
  ['too_long', 'problem.field.too-long'],
  ['too_large', 'problem.field.too-large'],
  ['too_small', 'problem.field.too-small'],
  ['past', 'problem.field.past'],
]);

const BY_STATUS: ReadonlyMap<number, TextId> = new Map<number, TextId>([
  [403, 'problem.forbidden'],
  [404, 'problem.missing'],
  [412, 'conflict.title'],
]);

/** What could not be asked: a question that the page repeats by itself, one that it does not, or for a change. */
export type Asking = 'repeated' | 'read' | 'write';

/** What to do where no answer came. A change is never asked for again by itself, and may have been made all the same. */
export const unreachableAdvice = (asking: Asking, isOnline: boolean): TextId =>
  isOnline ? `problem.unreachable.${asking}` : 'problem.offline.what';

type Told = Pick<ApiProblem, 'status' | 'code' | 'errors' | 'retryAfterSeconds'>;

/** What went wrong, in the page's language: the service's own words are English. */
export function problemTitle({ status, code, errors, retryAfterSeconds }: Told): readonly [id: TextId, values: Values] {
  if (status === 429) return ['problem.many', { seconds: retryAfterSeconds ?? 1 }];
  const ofField = errors.length === 1 ? BY_FIELD_CODE.get(errors[0]!.code) : undefined;
  const id = BY_CODE.get(code ?? '') ?? ofField ?? BY_STATUS.get(status);
  return [id ?? (status >= 500 ? 'problem.service' : 'problem.refused'), {}];
}
