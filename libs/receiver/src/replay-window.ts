export const DEFAULT_TOLERANCE_SECONDS = 300;

/**
 * Whether a request is recent enough to be taken seriously. Somebody who recorded a signed request can send it again;
 * this window limits for how long. A retry is stamped anew, so one that comes after hours passes too.
 *
 * Call it only after the signature was verified: until then the timestamp is anybody's claim.
 *
 * @param timestamp the `timestamp` of the body, in unix seconds
 * @param toleranceSeconds how far it may be from now, in both directions (clocks differ)
 * @param now the receiver's time in milliseconds since 1970
 */
export function verifyReplayWindow(
  timestamp: number,
  toleranceSeconds: number = DEFAULT_TOLERANCE_SECONDS,
  now: number = Date.now(),
): boolean {
  return Number.isSafeInteger(timestamp) && Math.abs(now / 1_000 - timestamp) <= toleranceSeconds;
}
