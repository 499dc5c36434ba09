import { QUEUES } from './queue-names.js';

/** So many lanes carry the forms that send more than their share. Several forms share one; a form prefers the same always. */
const BULK_LANES = 4;
/**
 * So many events of a bulk lane a dispatcher takes at a time: enough for 800 a second, each held until its record is
 * gathered and confirmed.
 */
export const BULK_PREFETCH = 200;
/** Events with more bytes than this travel apart: a prefetch counts messages, so few large ones would fill the memory. */
export const LARGE_EVENT_BYTES = 64 * 1024;

export const isLarge = (bytes: number): boolean => bytes > LARGE_EVENT_BYTES;

/**
 * How an event travels to the dispatchers. One queue for all would make everybody wait behind a form that sends a
 * hundred thousand at once.
 */
export type EventLane = 'normal' | 'large' | `bulk-${number}`;

const bulkLane = (n: number): EventLane => `bulk-${n}`;

/** The lanes besides the normal one. */
export const OTHER_LANES: readonly EventLane[] = [
  'large',
  ...Array.from({ length: BULK_LANES }, (_, n) => bulkLane(n)),
];

/** The queue of a lane. */
export const laneQueueOf = (lane: EventLane): string =>
  lane === 'normal' ? QUEUES.events : `${QUEUES.events}.${lane}`;

/** Every queue by which events come, the normal one first. */
export const EVENT_QUEUES: readonly string[] = [QUEUES.events, ...OTHER_LANES.map(laneQueueOf)];

/**
 * The bulk lanes of a form that sends more than its share, in the order in which it prefers them.
 * @param hash any number that the form's id always gives
 */
export const bulkLanesFor = (hash: number): readonly EventLane[] =>
  Array.from({ length: BULK_LANES }, (_, n) => bulkLane((hash + n) % BULK_LANES));

/** The lane in which an event of so many bytes goes on that came by a lane: a large body stays in no other than its own. */
export const laneFor = (queue: string, bytes: number): string => (isLarge(bytes) ? laneQueueOf('large') : queue);

/** Whether a queue is a bulk lane: what comes by it waits while others have work. */
export const isBulk = (queue: string): boolean => queue.startsWith(`${QUEUES.events}.bulk-`);
