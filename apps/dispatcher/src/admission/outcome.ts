import type { AttemptResult } from '@form-webhooks/domain';
import type { Outcome } from './policy/admission-policy.js';

const TOO_MANY_REQUESTS = 429;

/** What an attempt says of its receiver. One that refuses this delivery by a 4xx answers: it is well. */
export function outcomeOf(result: AttemptResult): Outcome {
  if (result.kind === 'response') {
    const { status } = result;
    return status >= 200 && status <= 499 && status !== TOO_MANY_REQUESTS ? 'answered' : 'failed';
  }
  if (result.code === 'aborted') return 'nothing';
  return result.code === 'timeout' ? 'timed out' : 'failed';
}
