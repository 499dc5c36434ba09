/**
 * How long the parts of an attempt took, whole ms. Null is what there was not: a connection that was open already is
 * not made again, an address needs no DNS, and what failed before its end has no time.
 */
export interface AttemptTimings {
  /** Until DNS had answered. */
  readonly dnsMs: number | null;
  /** From there until there was a TCP connection. */
  readonly connectMs: number | null;
  /** From there until the end of the TLS handshake. */
  readonly tlsMs: number | null;
  /** From there, or from the start over an open connection, until the first byte of an answer. */
  readonly firstByteMs: number | null;
}
