import { Injectable } from '@nestjs/common';
import { InFlightSettings } from './in-flight-settings.js';

/** Answers up to this size are not worth refusing: a caller has at most `CALLS_IN_FLIGHT` of them. */
const SMALL_BYTES = 64 * 1024;

/** Whose cap an answer is too much for. */
export type FullCap = 'caller' | 'all';

interface Held {
  calls: number;
  bytes: number;
}

/**
 * What callers hold at the moment: calls under way, and answers that they have not read yet, which are memory of ours.
 * A caller is here only while it holds something.
 */
@Injectable()
export class InFlight {
  private readonly held = new Map<string, Held>();
  private bytes = 0;

  constructor(private readonly settings: InFlightSettings) {}

  /** How many callers hold something, and bytes of unread answers; for tests and metrics. */
  get totals(): { readonly callers: number; readonly bytes: number } {
    return { callers: this.held.size, bytes: this.bytes };
  }

  /** @returns what to call when it has ended, harmless when repeated; undefined if the caller has too many under way */
  beginCall(caller: string): (() => void) | undefined {
    const held = this.held.get(caller) ?? { calls: 0, bytes: 0 };
    if (held.calls >= this.settings.callsPerCaller) return undefined;
    this.held.set(caller, held);
    held.calls++;
    return once(() => {
      held.calls--;
      this.forgetIfEmpty(caller, held);
    });
  }

  /** @returns what to call when it has been read or given up, harmless when repeated; or the cap that it does not fit */
  holdAnswer(caller: string, bytes: number): (() => void) | FullCap {
    const held = this.held.get(caller) ?? { calls: 0, bytes: 0 };
    if (bytes > SMALL_BYTES) {
      // One answer is always allowed, or the largest could never be had.
      if (held.bytes > 0 && held.bytes + bytes > this.settings.bytesPerCaller) return 'caller';
      if (this.bytes > 0 && this.bytes + bytes > this.settings.bytesInAll) return 'all';
    }
    this.held.set(caller, held);
    held.bytes += bytes;
    this.bytes += bytes;
    return once(() => {
      held.bytes -= bytes;
      this.bytes -= bytes;
      this.forgetIfEmpty(caller, held);
    });
  }

  private forgetIfEmpty(caller: string, { calls, bytes }: Held): void {
    if (calls === 0 && bytes === 0) this.held.delete(caller);
  }
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    act();
  };
}
