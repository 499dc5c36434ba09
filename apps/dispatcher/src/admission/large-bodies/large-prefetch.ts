/** How many messages with large bodies, of up to 1 MiB each, are in hand of each of their queues. */
export const LARGE_PREFETCH = 8;
