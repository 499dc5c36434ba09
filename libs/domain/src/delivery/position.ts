import { DELIVERY_STATES, type DeliveryState } from '../enumerations.js';

/**
 * Where a delivery stands: `generation` counts replays, `try` is the place in the retry schedule (0 = first attempt;
 * starts anew per generation), `deferrals` counts the times this try was put off (starts anew per try).
 */
export interface Position {
  readonly generation: number;
  readonly try: number;
  readonly deferrals: number;
}

export const FIRST_POSITION: Position = { generation: 0, try: 0, deferrals: 0 };

/** The position that a record carries after its delivery was put off once more. */
export const afterDeferral = (at: Position): Position => ({ ...at, deferrals: at.deferrals + 1 });

/** The position that a record carries after an attempt failed and the next one was scheduled. */
export const afterRetry = (at: Position): Position => ({ generation: at.generation, try: at.try + 1, deferrals: 0 });

/** No schedule has as many tries. */
const AFTER_ALL_TRIES = 1_000;

/**
 * The position of a delivery that its owner calls off: above whatever is still told of this generation by an attempt in
 * flight, so that only its success, which absorbs, or a replay replaces it.
 */
export const afterAllTries = ({ generation }: Position): Position => ({
  generation,
  try: AFTER_ALL_TRIES,
  deferrals: 0,
});

/** Negative if `a` comes before `b`, 0 if they are equal, positive otherwise. */
export function comparePositions(a: Position, b: Position): number {
  return a.generation - b.generation || a.try - b.try || a.deferrals - b.deferrals;
}

/** What one record says of its delivery; the log keeps the maximum. */
export interface Standing {
  readonly position: Position;
  readonly state: DeliveryState;
}

/** The place of a state in the order that decides between records of equal position. */
export const rankOf = (state: DeliveryState): number => DELIVERY_STATES.indexOf(state);

/**
 * Negative if `a` is superseded by `b`. Generation first; within a generation `delivered` absorbs whatever the
 * positions are (a redelivered copy may still be retrying); then the position; then the state's rank. It is a total
 * order, so the maximum of any set of records is the same in whatever order and however often they arrive. Timestamps
 * never decide: clocks of dispatchers differ.
 */
export function compareStandings(a: Standing, b: Standing): number {
  return (
    a.position.generation - b.position.generation ||
    Number(a.state === 'delivered') - Number(b.state === 'delivered') ||
    comparePositions(a.position, b.position) ||
    rankOf(a.state) - rankOf(b.state)
  );
}

export const isFinal = (state: DeliveryState): boolean =>
  state === 'delivered' || state === 'failed' || state === 'cancelled';
