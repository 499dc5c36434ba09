/** Whose keys an API key belongs to: a workspace's own, or those of the product's services. */
export const KEY_KINDS = ['workspace', 'service'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** Whose credential calls: a workspace's key, a service's key, or a person's token. */
export const IDENTITY_KINDS = ['workspace_key', 'service_key', 'user'] as const;
export type IdentityKind = (typeof IDENTITY_KINDS)[number];

/** The states of deliveries that a replay by filter can choose. */
export const REPLAYABLE_STATES = ['failed', 'cancelled', 'delivered'] as const;
export type ReplayableState = (typeof REPLAYABLE_STATES)[number];

export const REPLAY_STATES = ['running', 'done', 'cancelled'] as const;
export type ReplayState = (typeof REPLAY_STATES)[number];

/** How long one point of the statistics is. */
export const STATS_STEPS = ['1h', '6h', '1d'] as const;
export type StatsStep = (typeof STATS_STEPS)[number];

/** Newest or oldest first, by acceptance. */
export const LOG_ORDERS = ['desc', 'asc'] as const;
export type LogOrder = (typeof LOG_ORDERS)[number];

/** How much is known of a total: all, about as many, or as many and more; or that it would take too long to know. */
export const TOTAL_PRECISIONS = ['exact', 'approximate', 'at_least', 'unknown'] as const;
export type TotalPrecision = (typeof TOTAL_PRECISIONS)[number];

/** What of a form can change while a page shows it. */
export const LIVE_TOPICS = ['endpoints', 'deliveries', 'replays'] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];
