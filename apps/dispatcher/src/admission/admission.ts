import type { AttemptResult } from '@form-webhooks/domain';

/** The right to make one attempt now. It is given back exactly once, as soon as the attempt has its result. */
export interface Slot {
  readonly kind: 'slot';
  /** The POST begins now: how long it takes is its receiver's. What came before, an answer of config's, is not. */
  begin(): void;
  release(result: AttemptResult, durationMs: number): void;
  /** Instead of `release`, when no attempt was made: it says nothing of the endpoint's latency. */
  giveBack(): void;
}

/** Not now: the delivery waits on a delay of at least `delayMs`, without using up a try. */
export interface Deferral {
  readonly kind: 'deferral';
  readonly delayMs: number;
  /** Whether it was for the highest rate that the endpoint's owner wants. */
  readonly cause: 'no_slot' | 'rate_limit';
}

/** Who asks for a slot. */
export interface Applicant {
  readonly endpointId: string;
  /** The receiver's scheme, host and port: endpoints that share it share its fate. */
  readonly origin: string;
  /** It has waited on a delay before: a retry, or a deferral. Then new ones come first. */
  readonly due: boolean;
  /** An id of the message in hand that it came by: the first attempts of an event have the same. */
  readonly message: string;
  /** Of the body that is to be sent, about. */
  readonly bytes: number;
  /** How often this try was put off before. */
  readonly deferrals: number;
  /** Attempts a second that the endpoint's owner wants at most, from all dispatchers; undefined for any number. */
  readonly rateLimit: number | undefined;
}

/** Decides who may attempt, so that a slow endpoint can't slow others. */
export abstract class Admission {
  /** It rejects for bugs, and after `endLongWaits` for what would have waited: its message is to be handed back. */
  abstract enter(applicant: Applicant): Promise<Slot | Deferral>;
  /** The process is to end: what waits for longer than a stop has time waits no more. */
  abstract endLongWaits(): void;
}
