/** What a check says. */
export interface Finding {
  /** What was looked at, such as `broker`. */
  readonly check: string;
  /** `unknown`: it could not be looked at, because of what is wrong elsewhere or for want of a right. */
  readonly verdict: 'fine' | 'wrong' | 'unknown';
  readonly what: string;
  /** What to do; null where nothing is wrong. */
  readonly repair: string | null;
  /** The paragraph about it. */
  readonly see: string | null;
}

/** What is wrong and what to do, before somebody says where. */
export interface Fault {
  readonly what: string;
  readonly repair: string;
  readonly see?: string;
}

export const fine = (check: string, what: string): Finding => ({
  ...{ check, verdict: 'fine', what, repair: null, see: null },
});

export const wrong = (check: string, { what, repair, see = 'docs/troubleshooting.md' }: Fault): Finding => ({
  ...{ check, verdict: 'wrong', what, repair, see },
});

export const unknown = (check: string, what: string): Finding => ({
  ...{ check, verdict: 'unknown', what, repair: null, see: null },
});
