import {
  badRequest,
  forbidden,
  methodNotAllowed,
  Problem,
  tooManyRequests,
  unauthorized,
  unavailable,
} from '@form-webhooks/http-edge';
import type { CallerVerdict } from '../access/caller-check.js';
import type { Refusal } from '../accept/refusal.js';
import { EVENTS_PATH } from './paths.js';

/** How long callers are asked to wait when the broker or config is away, ms. */
const OUTAGE_RETRY_MS = 5_000;
const BUSY_RETRY_MS = 1_000;

/** 400 for what can't be parsed, 422 for what can and is not valid. */
export function refusalProblem(refusal: Refusal): Problem {
  if (refusal.kind === 'unreadable') return badRequest(refusal.message, refusal.code);
  const { errors } = refusal;
  const detail = errors.length === 1 ? errors[0]!.message : `the event has ${errors.length} faults, see errors`;
  return new Problem(422, detail, { code: 'invalid', errors });
}

export function callerProblem(verdict: Exclude<CallerVerdict, { kind: 'admitted' }>): Problem {
  switch (verdict.kind) {
    case 'unauthenticated':
      return unauthorized(verdict.why);
    case 'forbidden':
      return forbidden('the key lacks the scope events:write');
    case 'throttled':
      return tooManyRequests(verdict.waitMs, THROTTLED[verdict.why], `too_many_per_${verdict.why}`);
    case 'unavailable':
      return unavailable(
        OUTAGE_RETRY_MS,
        'the key can not be checked at the moment; nothing was accepted, send the event again',
        'key_not_checked',
      );
    case 'busy':
      return busy();
  }
}

const THROTTLED = {
  key: 'this key sends more events than allowed; slow down',
  address: 'too many failed authentications from this address',
} as const;

/** What is asked for at a path, or by a method, that is not served. */
export function notServed(url: string): Problem {
  if (url.split('?')[0] !== EVENTS_PATH) return new Problem(404, `only POST ${EVENTS_PATH} is served here`);
  return methodNotAllowed('POST', `only POST is served at ${EVENTS_PATH}`);
}

export const tooLarge = (maxBytes: number): Problem =>
  new Problem(413, `an event has at most ${maxBytes} bytes (${maxBytes / 1024} KiB)`);

/** The broker did not confirm: it may or may not have the event, so the same key makes sending it again safe. */
export const notConfirmed = (): Problem =>
  unavailable(
    OUTAGE_RETRY_MS,
    'the event was not confirmed; send it again (with the same Idempotency-Key it can not become a second event)',
    'not_confirmed',
  );

export const busy = (): Problem =>
  unavailable(BUSY_RETRY_MS, 'too much is in flight at the moment; nothing was accepted, send the event again', 'busy');
