import { rungAfter } from '@form-webhooks/domain';

/**
 * How long what needs a form waits while config can't be asked, each time again. Whoever needs it is put off at once, so
 * these times alone decide how long after config's return it is looked at: the first four cover a restart of half a
 * minute, and no time is longer than a minute. Each is one of the broker's rungs for events and for deliveries.
 */
export const LOOKUP_PAUSES_MS: readonly number[] = [1_000, 4_000, 15_000, 15_000, 60_000];

/** @param times how often it waited before */
export const lookupPauseMs = (times: number): number => rungAfter(LOOKUP_PAUSES_MS, times);
