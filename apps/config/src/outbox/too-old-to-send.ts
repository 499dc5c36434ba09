/**
 * What began before is not sent again: no attempt of it would be made any more, and in a restored backup it may long
 * have ended.
 * @param maxAgeMs `DELIVERY_MAX_AGE`
 * @param restoredAt when the database was restored from a backup, ms since the epoch; null if it was not
 */
export const tooOldIfBegunBefore = (now: Date, maxAgeMs: number, restoredAt: number | null): Date =>
  new Date(Math.max(now.getTime() - maxAgeMs, restoredAt ?? 0));
