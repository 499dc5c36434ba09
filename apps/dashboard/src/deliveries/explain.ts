import { ERROR_CODES, type ErrorCode, type Reason, type WaitingCause } from '@form-webhooks/domain/enumerations';
import type { Delivery, Endpoint } from '../api/queries.js';
import { oneOf } from '../text/read-address.js';
import type { Text, TextId } from '../text/text.js';

const REASONS: Readonly<Record<Reason, TextId>> = {
  gone: 'reason.gone',
  redirect: 'reason.redirect',
  rejected: 'reason.rejected',
  exhausted: 'reason.exhausted',
  expired: 'reason.expired',
  not_https: 'reason.not_https',
  payload_missing: 'reason.payload_missing',
  endpoint_disabled: 'reason.endpoint_disabled',
  endpoint_deleted: 'reason.endpoint_deleted',
  form_deleted: 'reason.form_deleted',
  submission_erased: 'reason.submission_erased',
  discarded: 'reason.discarded',
  cancelled_by_owner: 'reason.cancelled_by_owner',
};

const WAITS: Readonly<Record<WaitingCause, TextId>> = {
  form_unknown: 'waits.form_unknown',
  no_slot: 'waits.no_slot',
  rate_limit: 'waits.rate_limit',
  secret_unreadable: 'waits.secret_unreadable',
  not_registered: 'waits.not_registered',
  paused: 'waits.paused',
};

const ERRORS: Readonly<Record<ErrorCode, TextId>> = {
  invalid_url: 'cause.url',
  not_https: 'cause.url',
  address_not_allowed: 'cause.address',
  dns: 'cause.dns',
  connect: 'cause.connect',
  reset: 'cause.reset',
  tls: 'cause.tls',
  tls_expired: 'cause.tls-expired',
  tls_name_mismatch: 'cause.tls-name',
  tls_untrusted: 'cause.tls-untrusted',
  tls_protocol: 'cause.tls',
  timeout: 'cause.timeout',
  protocol: 'cause.protocol',
  header_overflow: 'cause.protocol',
  interim_flood: 'cause.protocol',
  unexpected_upgrade: 'cause.protocol',
  aborted: 'cause.aborted',
};

const STATUSES: readonly (readonly [fits: (status: number) => boolean, id: TextId])[] = [
  [(status) => status < 300, 'cause.none'],
  [(status) => status < 400, 'cause.redirect'],
  [(status) => status === 401 || status === 403, 'cause.auth'],
  [(status) => status === 404 || status === 405, 'cause.path'],
  [(status) => status === 410, 'cause.gone'],
  [(status) => status === 413, 'cause.large'],
  [(status) => status === 408 || status === 425 || status === 429, 'cause.busy'],
  [(status) => status < 500, 'cause.rejected'],
  [() => true, 'cause.server'],
];

/** What an attempt's end means for whoever runs the receiver; undefined where nothing is to be done. */
export function causeOf(status: number | null, error: string | null): TextId | undefined {
  if (error !== null) return ERRORS[error as ErrorCode] ?? 'cause.unknown';
  if (status === null) return undefined;
  const id = STATUSES.find(([fits]) => fits(status))![1];
  return id === 'cause.none' ? undefined : id;
}

/** Why no usable answer came, in a few words; a code that only a later release knows stands for itself. */
export function errorName(code: string, t: Text): string {
  const known = oneOf(ERROR_CODES, code);
  return known === undefined ? code : t(`error.${known}`);
}

/** How many attempts a delivery has in all; undefined where the schedule does not say: of a test, or one begun anew. */
export const attemptsAllowed = (
  { generation, trigger }: Pick<Delivery, 'generation' | 'trigger'>,
  endpoint: Pick<Endpoint, 'attempts_allowed'> | undefined,
): number | undefined => (generation === 0 && trigger !== 'test' ? endpoint?.attempts_allowed : undefined);

/** What a delivery's state means, and what its owner can do about it. */
export interface Meaning {
  readonly what: TextId;
  /** Why the latest attempt did not succeed. */
  readonly cause: TextId | undefined;
}

export type Explained = Pick<Delivery, 'state' | 'reason' | 'waits_for' | 'last_response_status' | 'last_error'>;

export function meaningOf(delivery: Explained): Meaning {
  const { state, reason, waits_for: waitsFor, last_response_status: status, last_error: error } = delivery;
  const cause = state === 'delivered' ? undefined : causeOf(status, error);
  if (reason !== null) return { what: REASONS[reason] ?? 'reason.unknown', cause };
  if (waitsFor !== null) return { what: WAITS[waitsFor] ?? 'waits.no_slot', cause };
  return { what: `explain.${state}` as const, cause };
}
