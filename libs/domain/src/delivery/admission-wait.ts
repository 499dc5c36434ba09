/**
 * How long a dispatcher keeps a due delivery in memory at most until an attempt of it may start, ms; then it is deferred
 * through the broker. The reconciler gives what is in hand this much time besides the attempt's own.
 */
export const MAX_ADMISSION_WAIT_MS = 1_000;
