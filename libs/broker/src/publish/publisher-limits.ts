export interface PublisherLimits {
  /**
   * How long a confirm may take, ms, and as long a publish may wait for its turn: were that shorter, what waits behind
   * one that is never confirmed would be given up before that one is.
   */
  readonly confirmTimeoutMs: number;
  /** Unconfirmed messages at a time; further publishes wait their turn. */
  readonly maxUnconfirmed: number;
  /** Unconfirmed bytes at a time; a single message may exceed it alone. */
  readonly maxUnconfirmedBytes: number;
  /**
   * Whether publishes under way when an alarm begins wait until the alarm is over. Published again after a time-out, a
   * message would be there twice, because the first copy still lies in the socket. (`publishPatiently` waits in any
   * case.)
   */
  readonly waitsWhileBlocked: boolean;
}

export const DEFAULT_PUBLISHER_LIMITS: PublisherLimits = {
  confirmTimeoutMs: 10_000,
  maxUnconfirmed: 2_000,
  maxUnconfirmedBytes: 64 * 1024 * 1024,
  waitsWhileBlocked: false,
};
