/** Whose keys an API key belongs to: a workspace's own, or those of the product's services. */
export const KEY_KINDS = ['workspace', 'service'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** The states of deliveries that a replay by filter can choose. */
export const REPLAYABLE_STATES = ['failed', 'cancelled', 'delivered'] as const;
export type ReplayableState = (typeof REPLAYABLE_STATES)[number];

export const REPLAY_STATES = ['running', 'done', 'cancelled'] as const;
export type ReplayState = (typeof REPLAY_STATES)[number];

/** How long one point of the statistics is. */
export const STATS_STEPS = ['1h', '6h', '1d'] as const;
export type StatsStep = (typeof STATS_STEPS)[number];
