/** What can happen on a form; the value is the envelope's `event` and the routing key on `form.events`. */
export const EVENT_NAMES = ['submission.created', 'payment.succeeded', 'draft.resumed'] as const;
export type EventName = (typeof EVENT_NAMES)[number];

/**
 * What became of an accepted event, in the order in which one replaces another: it waits for its form to be known, its
 * form is not registered, no enabled endpoint of the form listens to it, or there is a delivery for each that does.
 */
export const EVENT_OUTCOMES = ['waiting', 'not_registered', 'no_endpoints', 'fanned_out'] as const;
export type EventOutcome = (typeof EVENT_OUTCOMES)[number];

/**
 * A delivery's states, in the order that decides between records of equal position (see `position.ts`).
 * The drawing in docs/delivery-states.md keeps the same order.
 */
export const DELIVERY_STATES = ['pending', 'retrying', 'cancelled', 'failed', 'delivered'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const FAILED_REASONS = [
  'gone',
  'redirect',
  'rejected',
  'exhausted',
  'expired',
  'not_https',
  'payload_missing',
] as const;
export type FailedReason = (typeof FAILED_REASONS)[number];

export const CANCELLED_REASONS = [
  'endpoint_disabled',
  'endpoint_deleted',
  'form_deleted',
  'submission_erased',
  'discarded',
  'cancelled_by_owner',
] as const;
export type CancelledReason = (typeof CANCELLED_REASONS)[number];

/** Why a delivery is `failed` or `cancelled`. */
export const REASONS = [...FAILED_REASONS, ...CANCELLED_REASONS] as const;
export type Reason = (typeof REASONS)[number];

/** The state of what has ended for a reason: each belongs to one. */
export const stateOfReason = (reason: Reason): 'failed' | 'cancelled' =>
  FAILED_REASONS.some((one) => one === reason) ? 'failed' : 'cancelled';

/**
 * Why an open delivery was put off without an attempt: config can't be asked, its endpoint or the dispatcher is at its
 * limit, its endpoint has had as many attempts lately as its owner wants, a signing secret or a header's value does not
 * open with the dispatcher's keys, config's database has never had its form or its endpoint, or an operator holds it back.
 */
export const WAITING_CAUSES = [
  'form_unknown',
  'no_slot',
  'rate_limit',
  'secret_unreadable',
  'not_registered',
  'paused',
] as const;
export type WaitingCause = (typeof WAITING_CAUSES)[number];

/** What one attempt led to. */
export const ATTEMPT_OUTCOMES = ['delivered', 'retry', 'failed'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** Who asked for a delivery: what happened on the form, the owner's test send, or a replay. */
export const TRIGGERS = ['event', 'test', 'replay'] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** The hundreds of an answer's status. */
export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;
export type StatusClass = (typeof STATUS_CLASSES)[number];

/**
 * Why no usable HTTP status came back, as the owner reads it. `address_not_allowed` covers every refusal by the
 * egress policy and tells neither the address nor the DNS answer.
 */
export const ERROR_CODES = [
  'invalid_url',
  'not_https',
  'address_not_allowed',
  'dns',
  'connect',
  'reset',
  'tls',
  'tls_expired',
  'tls_name_mismatch',
  'tls_untrusted',
  'tls_protocol',
  'timeout',
  'protocol',
  'header_overflow',
  'interim_flood',
  'unexpected_upgrade',
  'aborted',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** Why an attempt failed, in statistics: the class of the status that came back, or why none came. */
export const FAILURE_CAUSES = ['3xx', '4xx', '5xx', ...ERROR_CODES] as const;
export type FailureCause = (typeof FAILURE_CAUSES)[number];
