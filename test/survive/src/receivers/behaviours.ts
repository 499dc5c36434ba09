import { sampleOf } from '../load/random.js';

/** What a receiver does with a POST. */
export type Reply =
  | { readonly kind: 'answer'; readonly status: number; readonly delayMs: number; readonly retryAfter?: number }
  /** The connection is cut without an answer. */
  | { readonly kind: 'cut'; readonly delayMs: number }
  /** Nothing comes until the sender gives up. */
  | { readonly kind: 'hang' };

/** How a receiver behaves, decided by the delivery and by how often it came: every delivery gets through in the end. */
export type Behaviour = (deliveryId: string, nth: number) => Reply;

const ok = (delayMs = 0): Reply => ({ kind: 'answer', status: 200, delayMs });

/** How often a delivery fails before it gets through: of a hundred, twenty once, seven twice and three three times. */
function failuresOf(deliveryId: string): number {
  const sample = sampleOf(deliveryId);
  if (sample < 0.7) return 0;
  if (sample < 0.9) return 1;
  return sample < 0.97 ? 2 : 3;
}

/** Each kind is an origin of its own, so that a failing one does not lend its name to a healthy one. */
export const BEHAVIOURS = {
  steady: () => ok(),
  brief: (deliveryId) => ok(5 + Math.floor(45 * sampleOf(deliveryId))),
  slow: (deliveryId) => ok(200 + Math.floor(1_300 * sampleOf(deliveryId))),
  failing: (deliveryId, nth) => (nth <= failuresOf(deliveryId) ? { kind: 'answer', status: 503, delayMs: 2 } : ok(2)),
  throttling: (deliveryId, nth) =>
    nth === 1 && sampleOf(deliveryId) < 0.1 ? { kind: 'answer', status: 429, delayMs: 0, retryAfter: 1 } : ok(),
  cutting: (deliveryId, nth) => (nth <= failuresOf(deliveryId) ? { kind: 'cut', delayMs: 3 } : ok()),
  late: () => ok(3_000),
  hanging: (deliveryId, nth) => (nth === 1 && sampleOf(deliveryId) < 0.02 ? { kind: 'hang' } : ok(10)),
} satisfies Record<string, Behaviour>;

export type BehaviourName = keyof typeof BEHAVIOURS;

export const BEHAVIOUR_NAMES = Object.keys(BEHAVIOURS) as readonly BehaviourName[];
