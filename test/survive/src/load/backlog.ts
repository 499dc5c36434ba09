import type { Receivers } from '../receivers/receivers.js';

const LOOK_MS = 250;

/**
 * How many events may be accepted and not yet delivered everywhere: on a machine that can't keep up with the load, a
 * run would else show nothing but an ever longer queue.
 */
export class Backlog {
  private delivered = 0;
  private readonly timer: NodeJS.Timeout;
  private asking = false;

  constructor(
    private readonly receivers: Receivers,
    private readonly endpointsPerForm: number,
    private readonly maxEvents: number,
  ) {
    this.timer = setInterval(() => void this.look(), LOOK_MS);
  }

  hasRoomAfter(acceptedEvents: number): boolean {
    return acceptedEvents - this.delivered / this.endpointsPerForm < this.maxEvents;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    this.delivered = (await this.receivers.count()).answered2xx;
    this.asking = false;
  }
}
