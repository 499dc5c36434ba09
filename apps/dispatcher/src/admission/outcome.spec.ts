import { expect, it } from 'vitest';
import { outcomeOf } from './outcome.js';

it.each([
  [{ kind: 'response', status: 200 }, 'answered'],
  [{ kind: 'response', status: 302 }, 'answered'],
  [{ kind: 'response', status: 410 }, 'answered'],
  [{ kind: 'response', status: 422 }, 'answered'],
  [{ kind: 'response', status: 429 }, 'failed'],
  [{ kind: 'response', status: 503 }, 'failed'],
  [{ kind: 'error', code: 'timeout' }, 'timed out'],
  [{ kind: 'error', code: 'connect' }, 'failed'],
  [{ kind: 'error', code: 'aborted' }, 'nothing'],
] as const)('%j says of its receiver: %s', (result, outcome) => {
  expect(outcomeOf(result)).toBe(outcome);
});
