import { inTime, nextLongerRung } from '@form-webhooks/domain';
import { PublishFailed } from '../publish/publish-failed.js';
import type { QueueSpec } from '../topology.js';
import { StrandedRungs } from './stranded-rungs.js';

/**
 * How long a shared queue must have stood before it is used, ms. RabbitMQ writes its directory of quorum queues some 0.5
 * to 1 s after a declare: killed before, it forgets a new queue with all that it has confirmed (measured: 50 of 50).
 */
const SETTLE_MS = 2_000;
/**
 * How long one that did not confirm is left out, ms. A queue that the broker forgot like that can come back without a
 * leader, and a publish to it then holds up everything that the connection publishes, for minutes.
 */
const SILENT_MS = 600_000;
/**
 * How long one that refuses messages is left out, ms: one that was made while a node was away has members on the others
 * alone, and lacks a majority as soon as one of those goes. Or it is gone and can't be declared again. Whoever tried it
 * again and again would begin no work.
 */
const REFUSED_MS = 30_000;
/**
 * How long a declare may keep messages waiting, ms: longer than a broker that is busy takes. One of a queue without a
 * leader is not answered before that has one again [trap 20], and what waited for it would be held as long.
 */
const ANSWERS_WITHIN_MS = 20_000;

/** What became of a declare; after `failed` the queue may stand all the same. */
type Declared = 'stands' | 'failed' | 'unanswered';

export interface SharedQueuesOptions {
  /** Ascending delays. */
  readonly rungsMs: readonly number[];
  readonly queueOf: (rungMs: number) => QueueSpec;
  /**
   * False if it failed, as with the end of the session at the latest: the queue may stand all the same, and the publisher
   * tells if it does not.
   */
  readonly declare: (queue: QueueSpec) => Promise<boolean>;
  /** Since when the broker has read what is sent, by the monotonic clock; Infinity in an alarm. */
  readonly readSince: () => number;
  /** Told of a queue whose declare is overdue. */
  readonly onUnanswered: (queue: string) => void;
}

/** Which shared queue takes a delay, and from when on. A few by the schedule, so nothing here grows. */
export class SharedQueues {
  /** When each was first declared by this process, by its delay and the monotonic clock. */
  private readonly standingSince = new Map<number, number>();
  /** The delays of those that were declared in this session: there are dozens, and few are in use at a time. */
  private readonly declared = new Set<number>();
  private readonly declaring = new Map<number, Promise<boolean>>();
  /** The delays of those that did not confirm a message, or refused it, with until when they are left out. */
  private readonly silentUntil = new Map<number, number>();
  /** The delays whose queue took no message since it is not there. */
  private readonly gone = new Set<number>();
  /** The delays whose declare is overdue; until it is answered, or has failed with its session, they are left out. */
  private readonly unanswered = new Set<number>();

  /** What comes out of them, and what does not. */
  readonly stranded: StrandedRungs;

  constructor(private readonly options: SharedQueuesOptions) {
    this.stranded = new StrandedRungs(options.rungsMs);
  }

  /** The broker may have forgotten meanwhile what was declared just before. */
  beginSession(): void {
    this.declared.clear();
    this.stranded.beginSession();
    const now = performance.now();
    for (const [rung, since] of this.standingSince) if (now - since < SETTLE_MS) this.standingSince.delete(rung);
  }

  /**
   * Declares those that this process has not declared yet, one by one, so that none is new when it is needed: it is
   * needed most when a broker has just come back.
   */
  async declareAll(): Promise<void> {
    for (const rung of this.options.rungsMs) {
      if (!this.standingSince.has(rung) && (await this.ensure(rung)) === 'failed') return;
    }
  }

  /** Resolves with the delay, not shorter than `delayMs`, whose queue is to be used, once it may be. */
  async ready(delayMs: number): Promise<number> {
    for (;;) {
      const rung = this.rungFor(delayMs);
      const declared = await this.ensure(rung);
      if (declared === 'unanswered' && this.rungFor(delayMs) !== rung) continue;
      if (declared !== 'stands') return rung;
      const since = this.standingSince.get(rung);
      const leftMs = since === undefined ? 0 : since + SETTLE_MS - performance.now();
      if (leftMs <= 0) return rung;
      await new Promise((resolve) => setTimeout(resolve, leftMs));
      // Else the session ended meanwhile, and the queue may be new once more.
      if (this.declared.has(rung) && this.standingSince.get(rung) === since) return rung;
    }
  }

  /** A publish to it failed. @returns whether it did not answer, and so may hold up what was published after */
  noteFailure(rung: number, error: unknown): boolean {
    if (!(error instanceof PublishFailed)) return false;
    if (error.code === 'timeout') this.silentUntil.set(rung, performance.now() + SILENT_MS);
    if (error.code === 'nacked') this.silentUntil.set(rung, performance.now() + REFUSED_MS);
    if (error.code === 'unroutable') {
      this.gone.add(rung);
      this.declared.delete(rung);
      this.standingSince.delete(rung);
    }
    return error.code === 'timeout';
  }

  /** Declares a queue unless this session has: it is one declare at a time, however many wait for it. */
  private async ensure(rung: number): Promise<Declared> {
    if (this.declared.has(rung)) return 'stands';
    const declaring = this.declaring.get(rung) ?? this.declareNow(rung);
    this.declaring.set(rung, declaring);
    while (!(await inTime(declaring, ANSWERS_WITHIN_MS))) {
      if (performance.now() - this.options.readSince() < ANSWERS_WITHIN_MS) continue;
      if (!this.unanswered.has(rung)) this.options.onUnanswered(this.options.queueOf(rung).name);
      this.unanswered.add(rung);
      return 'unanswered';
    }
    return (await declaring) ? 'stands' : 'failed';
  }

  private async declareNow(rung: number): Promise<boolean> {
    const stands = await this.options.declare(this.options.queueOf(rung));
    this.declaring.delete(rung);
    this.unanswered.delete(rung);
    if (!stands) {
      // Used all the same, it would take no message once more.
      if (this.gone.has(rung)) this.silentUntil.set(rung, performance.now() + REFUSED_MS);
      return false;
    }
    this.gone.delete(rung);
    this.declared.add(rung);
    if (!this.standingSince.has(rung)) this.standingSince.set(rung, performance.now());
    return true;
  }

  private rungFor(delayMs: number): number {
    const now = performance.now();
    const serves = (rung: number): boolean =>
      !this.unanswered.has(rung) && !this.stranded.has(rung) && (this.silentUntil.get(rung) ?? 0) <= now;
    const serving = this.options.rungsMs.find((rung) => rung >= delayMs && serves(rung));
    return serving ?? nextLongerRung(this.options.rungsMs, delayMs);
  }
}
