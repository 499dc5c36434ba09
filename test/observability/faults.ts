import type { AlertStage } from './alert-stage.js';

/**
 * Resolves when alerts have fired: all of the fault, or those that are named.
 * @param meanwhile done before each look, to keep the fault up
 */
export type UntilFired = (meanwhile?: () => Promise<unknown>, names?: readonly string[]) => Promise<void>;

/** Something that goes wrong, and the alerts that it has to fire. */
export interface Fault {
  readonly what: string;
  readonly alerts: readonly string[];
  /** Makes it, waits, and puts right whatever the next fault needs. */
  readonly make: (stage: AlertStage, untilFired: UntilFired) => Promise<void>;
}

/** A form whose endpoint takes everything. */
export const WORKS = 'f_works';

/** Does something so many times at once. */
export const times = async (count: number, act: (n: number) => Promise<unknown>): Promise<void> => {
  await Promise.all(Array.from({ length: count }, (_, n) => act(n)));
};
