import type { ErrorCode } from '@form-webhooks/domain';
import { NoHostNamed } from './connection/server-identity.js';
import { UnwritableHeader } from './request-head.js';

/** Why an exchange with a receiver gave no usable status, in the words that the form owner reads. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
}

/** Nothing that the egress policy permits can be dialled. Says neither host nor address: the owner reads it. */
export class AddressNotAllowed extends Error {
  constructor() {
    super('the address is not allowed');
  }
}

/** DNS gave no address. */
export class NameNotResolved extends Error {
  /** @param codes what the queries failed with, such as `ENOTFOUND` */
  constructor(readonly codes: readonly string[]) {
    super('the host name does not resolve');
  }
}

/** What an exchange was waiting for when its time was up. */
export type Phase = 'dns' | 'connect' | 'tls' | 'send' | 'response';

const WAITED_FOR: Readonly<Record<Phase, string>> = {
  dns: 'the host name did not resolve in time',
  connect: 'no connection could be made',
  tls: 'the TLS handshake did not finish',
  send: 'the receiver did not read the request',
  response: 'the receiver did not answer',
};

export const timedOut = (phase: Phase, timeoutMs: number): Failure =>
  failure('timeout', `No complete answer within ${formatSeconds(timeoutMs)}: ${WAITED_FOR[phase]}.`);

export const ABORTED = failure(
  'aborted',
  'The attempt was interrupted by a restart of the service; it is unknown whether the receiver got it.',
);
export const INTERIM_FLOOD = failure(
  'interim_flood',
  'The receiver sent too many interim (1xx) responses and no final one.',
);
export const UNEXPECTED_UPGRADE = failure(
  'unexpected_upgrade',
  'The receiver switched protocols (101) instead of answering.',
);
export const INVALID_ANSWER = failure('protocol', 'The receiver’s answer is not valid HTTP/1.1.');
export const HEADER_OVERFLOW = failure('header_overflow', 'The response’s status line is not readable within 64 KiB.');
const UNWRITABLE_HEADER = failure(
  'connect',
  'Nothing was sent: one of the request’s headers has a character that no header may have.',
);
const ADDRESS_NOT_ALLOWED = failure(
  'address_not_allowed',
  'The host leads to an address that webhooks may not be sent to; it must be reachable at a public address.',
);

export const oddStatus = (status: number): Failure =>
  failure('protocol', `The receiver answered with status ${status}, which is outside 200 to 599.`);

const NO_HOST_NAMED = failure(
  'tls_name_mismatch',
  'The receiver’s certificate names no host: it needs the URL’s host as a DNS name among its subject alternative names.',
);

/** What a connection's errors mean by their code, where the code alone says it. */
const BY_CODE: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: failure('connect', 'The receiver refused the connection; check that it runs and listens on this port.'),
  EHOSTUNREACH: failure('connect', 'No route leads to the receiver’s address.'),
  ENETUNREACH: failure('connect', 'No route leads to the receiver’s network.'),
  ECONNRESET: failure('reset', 'The receiver closed the connection without answering.'),
  EPIPE: failure('reset', 'The receiver closed the connection while the request was being sent.'),
  ETIMEDOUT: failure('timeout', 'The connection timed out.'),
  CERT_HAS_EXPIRED: failure('tls_expired', 'The receiver’s certificate has expired; renew it.'),
  CERT_NOT_YET_VALID: failure('tls_expired', 'The receiver’s certificate is not valid yet; check its dates.'),
  ERR_TLS_CERT_ALTNAME_INVALID: failure(
    'tls_name_mismatch',
    'The receiver’s certificate is for another host name than the URL’s.',
  ),
  DEPTH_ZERO_SELF_SIGNED_CERT: failure(
    'tls_untrusted',
    'The receiver’s certificate is self-signed; use one from a public certificate authority.',
  ),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: failure(
    'tls_untrusted',
    'The receiver’s certificate is not from a trusted authority, or an intermediate certificate is missing.',
  ),
  CERT_REVOKED: failure('tls_untrusted', 'The receiver’s certificate has been revoked.'),
};

const UNTRUSTED_CODE = /^(UNABLE_TO_|CERT_|SELF_SIGNED_|INVALID_|HOSTNAME_MISMATCH|PATH_LENGTH_|ERROR_IN_CERT_)/;
const TLS_PROTOCOL_CODE = /^(ERR_SSL_|EPROTO$)/;
const CLOSED_CODE = /^(ECONNRESET|EPIPE)$/;

/**
 * What an error of a socket, or of making a connection, means.
 * @param handshaking whether it came between the TCP connection and the end of the TLS handshake
 */
export function classify(error: unknown, handshaking: boolean): Failure {
  if (error instanceof AddressNotAllowed) return ADDRESS_NOT_ALLOWED;
  if (error instanceof NameNotResolved) return unresolved(error);
  if (error instanceof NoHostNamed) return NO_HOST_NAMED;
  if (error instanceof UnwritableHeader) return UNWRITABLE_HEADER;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (handshaking && CLOSED_CODE.test(code)) {
    return failure('tls', 'The receiver closed the connection during the TLS handshake.');
  }
  return BY_CODE[code] ?? byKind(code);
}

function byKind(code: string): Failure {
  if (TLS_PROTOCOL_CODE.test(code)) {
    return failure(
      'tls_protocol',
      'No TLS connection could be agreed on; the receiver must speak TLS 1.2 or later, and HTTP/1.1, on this port.',
    );
  }
  if (UNTRUSTED_CODE.test(code))
    return failure('tls_untrusted', `The receiver’s certificate is not trusted (${code}).`);
  if (code.startsWith('ERR_TLS_')) return failure('tls', `The TLS connection failed (${code}).`);
  return failure('connect', `The connection failed${/^[A-Z0-9_]{1,40}$/.test(code) ? ` (${code})` : ''}.`);
}

function unresolved({ codes }: NameNotResolved): Failure {
  const missing = codes.every((code) => code === 'ENOTFOUND' || code === 'ENODATA');
  return missing
    ? failure('dns', 'The host name does not exist in DNS, or has no address.')
    : failure('dns', 'The host name could not be resolved: its DNS servers gave no usable answer.');
}

function failure(code: ErrorCode, message: string): Failure {
  return { code, message };
}

const formatSeconds = (ms: number): string => (ms % 1_000 === 0 ? `${ms / 1_000} s` : `${ms} ms`);
