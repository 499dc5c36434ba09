/** What a duty does in a round. @returns how long to wait before the next one, in ms */
export type Round = () => Promise<number>;

/** Runs one background duty round after round, never two rounds at once; a failed round is told of and tried again. */
export class RecurringDuty {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly run: Round,
    private readonly onError: (error: unknown) => void,
    private readonly afterFailureMs = 10_000,
  ) {}

  /** Begins the first round now. @returns when it has ended */
  async start(): Promise<void> {
    this.begin();
    await this.round;
  }

  /** Begins a round now unless one is under way. */
  hurry(): void {
    if (this.round || this.stopped) return;
    clearTimeout(this.timer);
    this.begin();
  }

  /** Waits for the round under way and begins no other. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.round;
  }

  /** True once `stop` was called: a long round looks here and ends early. */
  get stopping(): boolean {
    return this.stopped;
  }

  private begin(): void {
    this.round = this.run()
      .catch((error: unknown) => {
        this.onError(error);
        return this.afterFailureMs;
      })
      .then((waitMs) => {
        this.round = undefined;
        if (!this.stopped) this.timer = setTimeout(() => this.begin(), waitMs);
      });
  }
}
