import type { AttemptResult } from '@form-webhooks/domain';
import { Admission, type Applicant, type Deferral, type Slot } from './admission.js';
import type { DispatcherCount } from './dispatcher-count.js';
import { outcomeOf } from './outcome.js';
import {
  AdmissionPolicy,
  type Asking,
  type Decided,
  type Defer,
  type Outcome,
  type Start,
} from './policy/admission-policy.js';
import type { PolicyLimits } from './policy/policy-limits.js';
import type { WaitingDelivery } from './policy/waiting-deliveries.js';
import { ProcessClock } from './process-clock.js';

const CHECK_EACH_MS = 50;

type Resolve = (admitted: Slot | Deferral) => void;

/**
 * Admits by `AdmissionPolicy`, which decides; here are the deliveries that wait, the clock and the one timer, which runs
 * while something is in flight or waits.
 */
export class AdaptiveAdmission extends Admission {
  private readonly policy: AdmissionPolicy;
  private readonly clock = new ProcessClock();
  private readonly waiting = new Map<WaitingDelivery, Resolve>();
  private freed: () => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;
  private checkAt = Infinity;

  constructor(
    limits: PolicyLimits,
    private readonly dispatchers: DispatcherCount,
  ) {
    super();
    this.policy = new AdmissionPolicy(limits);
  }

  /** Attempts in flight now. */
  get size(): number {
    return this.policy.inFlight;
  }

  /** Slots in use now: see `AdmissionPolicy`. */
  get slotsInUse(): number {
    return this.policy.slotsInUse;
  }

  /** Deliveries that wait here for a slot, for a second at most. */
  get waitingCount(): number {
    return this.waiting.size;
  }

  /** Endpoints with attempts in flight that take too long. */
  get suspectCount(): number {
    return this.policy.suspectCount;
  }

  enter(applicant: Applicant): Promise<Slot | Deferral> {
    const decision = this.policy.ask(this.asking(applicant), this.clock.now());
    if (decision.kind === 'defer') return Promise.resolve(this.admitted(decision));
    this.setTimer();
    if (decision.kind === 'start') return Promise.resolve(this.admitted(decision));
    return new Promise((resolve) => this.waiting.set(decision.waiting, resolve));
  }

  /** How many more attempts of an endpoint may begin now; Infinity where it is of no use to wait for that. */
  roomOf(endpointId: string): number {
    return this.policy.roomOf(endpointId, this.clock.now());
  }

  /** Calls `listener` from now on each time that an attempt has ended; there is one. */
  onFreed(listener: () => void): void {
    this.freed = listener;
  }

  /** It knows none: what waits here does so for a second at most. */
  override endLongWaits(): void {}

  /** Deliveries are dealt out evenly to those who consume them, so each dispatcher has an equal part of a rate. */
  private asking({ endpointId, origin, due, deferrals, rateLimit }: Applicant): Asking {
    const ratePerSecond = rateLimit === undefined ? undefined : rateLimit / this.dispatchers.count;
    return { endpointId, origin, due, deferrals, ratePerSecond };
  }

  private admitted(decision: Start | Defer): Slot | Deferral {
    if (decision.kind === 'defer') {
      const cause = decision.obstacle === 'rate' ? 'rate_limit' : 'no_slot';
      return { kind: 'deferral', delayMs: decision.delayMs, cause };
    }
    const { attempt } = decision;
    let held = true;
    const end = (outcome: Outcome, tookMs?: number): void => {
      if (!held) throw new Error('a slot is released once');
      held = false;
      this.tell(this.policy.end(attempt, outcome, this.clock.now(), tookMs));
      this.freed();
    };
    return {
      kind: 'slot',
      begin: () => this.policy.begin(attempt, this.clock.now()),
      giveBack: () => end('nothing'),
      release: (result: AttemptResult, durationMs: number) => end(outcomeOf(result), durationMs),
    };
  }

  private tell(decided: readonly Decided[]): void {
    for (const { waiting, decision } of decided) {
      const resolve = this.waiting.get(waiting)!;
      this.waiting.delete(waiting);
      resolve(this.admitted(decision));
    }
  }

  /** Unless one ends as soon as it is wanted: for the next check, or the turn of one that waits for its rate. */
  private setTimer(): void {
    const now = this.clock.now();
    const checkAt = Math.min(now + CHECK_EACH_MS, this.policy.nextRateTurnAt);
    if (this.checkAt <= checkAt) return;
    clearTimeout(this.timer);
    this.checkAt = checkAt;
    const inMs = Math.max(1, Math.ceil(checkAt - now));
    this.clock.expectTimer(inMs);
    this.timer = setTimeout(() => {
      this.clock.timerEnded();
      // After what came in while the process was busy: an answer that is there is heard before its receiver is judged.
      setImmediate(() => this.check());
    }, inMs);
  }

  private check(): void {
    this.checkAt = Infinity;
    this.tell(this.policy.advance(this.clock.now()));
    if (this.policy.inFlight > 0 || this.waiting.size > 0) this.setTimer();
  }
}
