import type { Fault } from '../../failures/fault.js';

/** What a check says. */
export interface Finding {
  /** What was looked at, such as `broker`. */
  readonly check: string;
  /**
   * `warning`: it works, and should not stay so. `unknown`: it could not be looked at, because of what is wrong elsewhere
   * or for want of a right.
   */
  readonly verdict: 'fine' | 'warning' | 'wrong' | 'unknown';
  readonly what: string;
  /** What to do; null where nothing is wrong. */
  readonly repair: string | null;
  /** The paragraph about it. */
  readonly see: string | null;
}

export const fine = (check: string, what: string): Finding => ({
  ...{ check, verdict: 'fine', what, repair: null, see: null },
});

export const wrong = (check: string, { what, repair, see = 'docs/troubleshooting.md' }: Fault): Finding => ({
  ...{ check, verdict: 'wrong', what, repair, see },
});

export const warning = (check: string, fault: Fault): Finding => ({ ...wrong(check, fault), verdict: 'warning' });

/** Whether somebody has to do something before all is well. */
export const isBad = ({ verdict }: Finding): boolean => verdict === 'wrong' || verdict === 'unknown';

export const unknown = (check: string, what: string): Finding => ({
  ...{ check, verdict: 'unknown', what, repair: null, see: null },
});
