/** What is wrong and what to do. */
export interface Fault {
  readonly what: string;
  readonly repair: string;
  /** The paragraph about it, if there is one. */
  readonly see?: string;
}
