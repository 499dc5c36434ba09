/** How an event came. */
export interface EventArrival {
  /** How often it waited for its form before. */
  readonly waits: number;
  /** Whether it was handed over before, also before it waited: the event may have been attempted already. */
  readonly redelivered: boolean;
  /** The lane's queue by which it came. */
  readonly queue: string;
  /** The same, if it is of a form that sends more than its share: its attempts wait for others'. */
  readonly bulkLane: string | undefined;
  /** False once the broker has taken the event's message back, as with a lost connection: then it comes again. */
  readonly isOurs: () => boolean;
}
