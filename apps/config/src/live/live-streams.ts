import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LIVE_TOPICS, type LiveTopic } from '@form-webhooks/http-api';
import { tooManyRequests, unavailable } from '@form-webhooks/http-edge';
import { Metrics } from '@form-webhooks/telemetry';
import type { FormTopics } from './form-notice.js';
import { LiveSettings } from './live-settings.js';
import { LiveStream, type StreamOutlet } from './live-stream.js';

const TICK_MS = 1_000;
/** Who is turned away polls, and looks in again. */
const RETRY_AFTER_MS = 30_000;
/** Browsers open a stream that ended again after this and up to so much more, so that thousands don't at once. */
const REOPEN_MS = 2_000;
const REOPEN_SPREAD_MS = 4_000;
/** The last share of a stream's age that is left to chance, for the same reason. */
const AGE_SPREAD = 0.2;

/** Which form a stream is about, and how long it may be. */
export interface StreamRequest {
  readonly formId: string;
  readonly credentialEndsAt: Date | null;
  /** What the stream ends with: `credentialsOf` its caller. */
  readonly credentials: readonly string[];
  /** The page was told of something before. */
  readonly isReopened: boolean;
}

/** The open streams of this replica, by form. One timer serves them all. */
@Injectable()
export class LiveStreams implements OnModuleDestroy {
  private readonly ofForm = new Map<string, Set<LiveStream>>();
  private readonly credentials = new WeakMap<LiveStream, readonly string[]>();
  private readonly ofCaller = new Map<string, number>();
  private readonly timer: NodeJS.Timeout;
  private open = 0;
  private stopping = false;

  constructor(
    private readonly settings: LiveSettings,
    metrics: Metrics,
  ) {
    const openNow = (): number => this.open;
    metrics.gauge('config_live_streams', 'Streams of live updates that are open', [], function () {
      this.set(openNow());
    });
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.timer.unref();
  }

  /**
   * @param caller one name for all that a key or person opens
   * @returns what gives it back, harmless when repeated.
   * @throws Problem 429, 503
   */
  takePlace(caller: string): () => void {
    const own = this.ofCaller.get(caller) ?? 0;
    if (own >= this.settings.perCaller) {
      throw tooManyRequests(
        RETRY_AFTER_MS,
        'Too many live streams of this credential are open at a time.',
        'too_many_at_a_time',
      );
    }
    if (this.stopping || this.open >= this.settings.inAll) {
      throw unavailable(RETRY_AFTER_MS, 'No more live streams can be opened now; poll instead.', 'live_unavailable');
    }
    this.open += 1;
    this.ofCaller.set(caller, own + 1);
    let taken = true;
    return () => {
      if (!taken) return;
      taken = false;
      this.open -= 1;
      const left = this.ofCaller.get(caller)! - 1;
      if (left === 0) this.ofCaller.delete(caller);
      else this.ofCaller.set(caller, left);
    };
  }

  /** Begins a stream for which a place was taken. @returns what to call when its connection is gone */
  begin({ formId, credentialEndsAt, credentials, isReopened }: StreamRequest, outlet: StreamOutlet): () => void {
    const now = Date.now();
    const renewAt = now + this.settings.maxAgeMs * (1 - AGE_SPREAD * Math.random());
    const expiresAt = credentialEndsAt?.getTime() ?? Infinity;
    const until = expiresAt <= renewAt ? ({ at: expiresAt, reason: 'credential_expired' } as const) : undefined;
    const stream = new LiveStream(outlet, until ?? { at: renewAt, reason: 'renew' }, now);
    this.credentials.set(stream, credentials);
    const streams = this.ofForm.get(formId) ?? new Set();
    this.ofForm.set(formId, streams.add(stream));
    stream.begin(isReopened, Math.round(REOPEN_MS + REOPEN_SPREAD_MS * Math.random()), now);
    return () => this.forget(formId, stream);
  }

  tell(changed: FormTopics): void {
    const now = Date.now();
    if (changed !== 'everything') {
      for (const [formId, topics] of changed) this.tellForm(formId, topics, now);
      return;
    }
    for (const formId of this.ofForm.keys()) this.tellForm(formId, LIVE_TOPICS, now);
  }

  /** Ends the streams of a credential that has ended: the form's next change is not theirs to know. */
  endOf(credential: string): void {
    for (const streams of this.ofForm.values()) {
      for (const stream of streams)
        if (this.credentials.get(stream)?.includes(credential)) stream.end('credential_expired');
    }
  }

  onModuleDestroy(): void {
    this.stopping = true;
    clearInterval(this.timer);
    for (const streams of this.ofForm.values()) for (const stream of streams) stream.end('stopping');
  }

  private tellForm(formId: string, topics: Iterable<LiveTopic>, now: number): void {
    for (const stream of this.ofForm.get(formId) ?? []) stream.tell(topics, now);
  }

  private tick(): void {
    const now = Date.now();
    for (const [formId, streams] of this.ofForm) {
      for (const stream of streams) if (!stream.tick(now)) this.forget(formId, stream);
    }
  }

  private forget(formId: string, stream: LiveStream): void {
    const streams = this.ofForm.get(formId);
    streams?.delete(stream);
    if (streams?.size === 0) this.ofForm.delete(formId);
  }
}
