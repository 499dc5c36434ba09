import type { CallerVerdict } from '../access/caller-check.js';
import type { Refusal } from '../accept/refusal.js';
import { Problem } from './problem.js';

/** How long callers are asked to wait when the broker or config is away, ms. */
const OUTAGE_RETRY_MS = 5_000;
const BUSY_RETRY_MS = 1_000;

/** 400 for what can't be parsed, 422 for what can and is not valid. */
export function refusalProblem(refusal: Refusal): Problem {
  if (refusal.kind === 'unreadable') return new Problem(400, refusal.message, { code: refusal.code });
  const { errors } = refusal;
  const detail = errors.length === 1 ? errors[0]!.message : `the event has ${errors.length} faults, see errors`;
  return new Problem(422, detail, { code: 'invalid', errors });
}

export function callerProblem(verdict: Exclude<CallerVerdict, { kind: 'admitted' }>): Problem {
  switch (verdict.kind) {
    case 'unauthenticated':
      return new Problem(401, verdict.why, { headers: { 'www-authenticate': 'Bearer' } });
    case 'forbidden':
      return new Problem(403, 'the key lacks the scope events:write');
    case 'throttled':
      return new Problem(429, THROTTLED[verdict.why], {
        code: `too_many_per_${verdict.why}`,
        retryAfterMs: verdict.waitMs,
      });
    case 'unavailable':
      return new Problem(503, 'the key can not be checked at the moment; nothing was accepted, send the event again', {
        code: 'key_not_checked',
        retryAfterMs: OUTAGE_RETRY_MS,
      });
  }
}

const THROTTLED = {
  key: 'this key sends more events than allowed; slow down',
  address: 'too many failed authentications from this address',
} as const;

export const tooLarge = (maxBytes: number): Problem =>
  new Problem(413, `an event has at most ${maxBytes} bytes (${maxBytes / 1024} KiB)`);

export const unsupportedMediaType = (detail: string): Problem => new Problem(415, detail);

/** The broker did not confirm: it may or may not have the event, so the same key makes sending it again safe. */
export const notConfirmed = (): Problem =>
  new Problem(
    503,
    'the event was not confirmed; send it again (with the same Idempotency-Key it can not become a second event)',
    { code: 'not_confirmed', retryAfterMs: OUTAGE_RETRY_MS },
  );

export const busy = (): Problem =>
  new Problem(503, 'too much is in flight at the moment; nothing was accepted, send the event again', {
    code: 'busy',
    retryAfterMs: BUSY_RETRY_MS,
  });
