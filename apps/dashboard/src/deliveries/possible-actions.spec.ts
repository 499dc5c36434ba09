import { describe, expect, it } from 'vitest';
import { possibleActions } from './possible-actions.js';

describe('what is offered for a delivery', () => {
  it.each([
    ['tries what waits, or calls it off', 'retrying', 'event', null, ['retry', 'cancel']],
    ['sends again what has ended', 'failed', 'event', 'exhausted', ['replay']],
    ['sends again what was sent again', 'delivered', 'replay', null, ['replay']],
    [
      'sends again what was cancelled while its endpoint was off',
      'cancelled',
      'event',
      'endpoint_disabled',
      ['replay'],
    ],
    ['calls a test off, which is never tried at once', 'pending', 'test', null, ['cancel']],
    ['sends no test again', 'delivered', 'test', null, []],
    ['sends nothing again that was erased', 'cancelled', 'event', 'submission_erased', []],
    ['sends nothing to an endpoint that was deleted', 'cancelled', 'replay', 'endpoint_deleted', []],
  ] as const)('%s', (_promise, state, trigger, reason, actions) => {
    expect(possibleActions({ state, trigger, reason })).toEqual(actions);
  });
});
