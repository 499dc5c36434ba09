import { isLarge, ServiceStops } from '@form-webhooks/broker';
import { rungAfter } from '@form-webhooks/domain';
import { Admission, type Applicant, type Deferral, type Slot } from '../admission.js';
import { LatestUsers } from '../latest-users.js';
import { outcomeOf } from '../outcome.js';
import type { Outcome } from '../policy/admission-policy.js';
import { BodyBytes, type BodyObstacle, type BodyShare } from './body-bytes.js';
import { LARGE_PREFETCH } from './large-prefetch.js';

/** How long a body waits in memory: for its own origin briefly, or it would keep those of others from their queue. */
const WAIT_MS: Readonly<Record<BodyObstacle, number>> = { origin: 1_000, process: 15_000 };
/**
 * Or for as long, while no others had any within so many ms: to put it off would send its bytes to the broker and back.
 * Well within the reconciler's grace, which would take what waits for longer for lost.
 */
const ALONE_WAIT_MS = 60_000;
const OTHERS_WITHIN_MS = 10_000;
/** Of so many messages only, fewer than half of those in hand: or no others could come and show that it isn't alone. */
const ALONE_MESSAGES = LARGE_PREFETCH / 2 - 1;
/** For how long it is put off then, longer each time. */
const PUT_OFF_MS = [4_000, 15_000, 60_000];

interface Waiting {
  readonly share: BodyShare;
  readonly message: string;
  readonly begin: () => void;
  readonly giveUp: (reason: Error) => void;
}

/** Admits large bodies as there is room for their bytes, in the order of their coming, and then as all others. */
export class BodyBudget extends Admission {
  private readonly bytes = new BodyBytes();
  /** Bounded by the events and deliveries in hand. */
  private readonly waiting = new Set<Waiting>();
  private readonly origins = new LatestUsers();
  private ending = false;

  constructor(private readonly admission: Admission) {
    super();
  }

  /** Bytes of large bodies that are being sent. */
  get size(): number {
    return this.bytes.size;
  }

  override enter(applicant: Applicant): Promise<Slot | Deferral> {
    // What travels by the other lanes needs no share: slots bound it well enough.
    return isLarge(applicant.bytes) ? this.enterLarge(applicant) : this.admission.enter(applicant);
  }

  private async enterLarge(applicant: Applicant): Promise<Slot | Deferral> {
    const { origin, message, bytes, deferrals } = applicant;
    const share = { origin, bytes };
    this.origins.note(origin, performance.now());
    if (!(await this.take(share, message))) {
      return { kind: 'deferral', delayMs: rungAfter(PUT_OFF_MS, deferrals), cause: 'no_slot' };
    }
    const admitted = await this.admission.enter(applicant).catch((error: unknown) => {
      this.end(share, 'nothing');
      throw error;
    });
    if (admitted.kind === 'slot') return this.endingWith(admitted, share);
    this.end(share, 'nothing');
    return admitted;
  }

  override endLongWaits(): void {
    this.ending = true;
    for (const { giveUp } of this.waiting) giveUp(serviceStops());
    this.waiting.clear();
  }

  /** Whether there was room for it in time. */
  private async take(share: BodyShare, message: string): Promise<boolean> {
    const obstacle = this.bytes.obstacleTo(share);
    if (obstacle !== undefined) return this.waitFor(share, message, WAIT_MS[obstacle]);
    this.bytes.add(share);
    return true;
  }

  private waitFor(share: BodyShare, message: string, waitMs: number): Promise<boolean> {
    if (this.ending) return Promise.reject(serviceStops());
    const until = performance.now() + ALONE_WAIT_MS;
    return new Promise((resolve, reject) => {
      const looks = setInterval(() => {
        if (performance.now() < until && this.isAlone(share) && this.leavesRoom(waiting)) return;
        this.waiting.delete(waiting);
        clearInterval(looks);
        resolve(false);
      }, waitMs);
      const begin = (): void => {
        clearInterval(looks);
        this.bytes.add(share);
        resolve(true);
      };
      const giveUp = (reason: Error): void => {
        clearInterval(looks);
        reject(reason);
      };
      const waiting: Waiting = { share, message, begin, giveUp };
      this.waiting.add(waiting);
    });
  }

  private isAlone({ origin }: BodyShare): boolean {
    return !this.origins.hasOthers(origin, OTHERS_WITHIN_MS, performance.now());
  }

  /** Whether its message is among the first that wait. */
  private leavesRoom(one: Waiting): boolean {
    const messages = new Set<string>();
    for (const { message } of this.waiting) {
      if (messages.add(message).size > ALONE_MESSAGES) return false;
      if (message === one.message) return true;
    }
    return false;
  }

  private endingWith(slot: Slot, share: BodyShare): Slot {
    return {
      kind: 'slot',
      begin: () => slot.begin(),
      release: (result, durationMs) => {
        this.end(share, outcomeOf(result));
        slot.release(result, durationMs);
      },
      giveBack: () => {
        this.end(share, 'nothing');
        slot.giveBack();
      },
    };
  }

  private end(share: BodyShare, outcome: Outcome): void {
    this.bytes.remove(share, outcome);
    for (const waiting of this.waiting) {
      if (this.bytes.obstacleTo(waiting.share) !== undefined) continue;
      this.waiting.delete(waiting);
      waiting.begin();
    }
  }
}

/** To put hundreds of MiB off takes longer than a stop has time; what is handed back stays where it is. */
const serviceStops = (): ServiceStops => new ServiceStops('a large body waits for its turn');
