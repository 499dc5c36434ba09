import { Injectable } from '@nestjs/common';

/** Of a queue's events so many deliveries wait for their first attempt; more would not make these begin any sooner. */
const MAX_INSIDE = 200;

interface Line {
  /** Deliveries that were let in and have not begun. */
  inside: number;
  readonly outside: { readonly deliveries: number; readonly enter: () => void }[];
}

/**
 * Bounds the deliveries that wait here for their first attempt. A prefetch counts events, and one may have fifty
 * deliveries: events beyond the bound wait as they came, in their order, for a fraction of what their deliveries take.
 * Each queue has a room of its own, so that what waits in one lane for its endpoints holds up no other.
 */
@Injectable()
export class WaitingRoom {
  private readonly lines = new Map<string, Line>();

  /**
   * Lets in all deliveries of an event, also if that makes them more than fit.
   * @returns what to wait for before they are made; undefined if nothing
   */
  enter(queue: string, deliveries: number): Promise<void> | undefined {
    const line = this.lineOf(queue);
    if (line.inside < MAX_INSIDE) {
      line.inside += deliveries;
      return undefined;
    }
    return new Promise((enter) => line.outside.push({ deliveries, enter }));
  }

  /** So many of those that were let in wait no longer. */
  leave(queue: string, deliveries: number): void {
    const line = this.lineOf(queue);
    line.inside -= deliveries;
    while (line.inside < MAX_INSIDE && line.outside.length > 0) {
      const next = line.outside.shift()!;
      line.inside += next.deliveries;
      next.enter();
    }
  }

  private lineOf(queue: string): Line {
    const line = this.lines.get(queue) ?? { inside: 0, outside: [] };
    this.lines.set(queue, line);
    return line;
  }
}
