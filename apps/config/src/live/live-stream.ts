import { rfc3339 } from '@form-webhooks/domain';
import { LIVE_TOPICS, type LiveChangeDto, type LiveTopic } from '@form-webhooks/http-api';

/** Where the text of a stream goes: a response. */
export interface StreamOutlet {
  /** @returns bytes that nobody has read yet */
  write(text: string): number;
  end(text: string): void;
  /** Drops it together with what nobody has read. */
  destroy(): void;
}

/** Why a stream ends: its page opens another one, at once or with a fresh credential, or somewhere else. */
export type EndReason = 'renew' | 'credential_expired' | 'stopping';

/** A comment so often keeps proxies and Node from taking the connection for dead. */
const HEARTBEAT_MS = 15_000;
/** A page that shows a busy form reads it again no oftener than this. */
const MIN_INTERVAL_MS = 1_000;
/** Some hundred notices: a page that has not read those reads no more. */
const MAX_UNREAD_BYTES = 16 * 1024;

/** One page's stream. It holds topics, not notices: however long nobody reads, it is no longer than one of them. */
export class LiveStream {
  private readonly waiting = new Set<LiveTopic>();
  private toldAt = -Infinity;
  private wroteAt: number;
  private over = false;

  constructor(
    private readonly outlet: StreamOutlet,
    private readonly until: { readonly at: number; readonly reason: EndReason },
    now: number,
  ) {
    this.wroteAt = now;
  }

  /** @param missed the page was told of something before, and may have missed what came since */
  begin(missed: boolean, retryMs: number, now: number): void {
    const event = message('open', { at: rfc3339(now), topics: missed ? [...LIVE_TOPICS] : [] });
    this.write(`retry: ${retryMs}\n${event}`, now);
  }

  tell(topics: Iterable<LiveTopic>, now: number): void {
    for (const topic of topics) this.waiting.add(topic);
    this.flush(now);
  }

  /** @returns false once it is over */
  tick(now: number): boolean {
    if (now >= this.until.at) this.end(this.until.reason);
    else if (this.waiting.size > 0) this.flush(now);
    else if (now - this.wroteAt >= HEARTBEAT_MS) this.write(':\n\n', now);
    return !this.over;
  }

  end(reason: EndReason): void {
    if (this.over) return;
    this.over = true;
    this.outlet.end(`event: end\ndata: {"reason":"${reason}"}\n\n`);
  }

  private flush(now: number): void {
    if (now - this.toldAt < MIN_INTERVAL_MS) return;
    this.toldAt = now;
    const topics = LIVE_TOPICS.filter((topic) => this.waiting.has(topic));
    this.waiting.clear();
    this.write(message('changed', { at: rfc3339(now), topics }), now);
  }

  private write(text: string, now: number): void {
    if (this.over) return;
    this.wroteAt = now;
    if (this.outlet.write(text) <= MAX_UNREAD_BYTES) return;
    this.over = true;
    this.outlet.destroy();
  }
}

/** Its id comes back as `Last-Event-ID` when the browser opens the stream again. */
const message = (event: 'open' | 'changed', data: LiveChangeDto): string =>
  `event: ${event}\nid: ${data.at}\ndata: ${JSON.stringify(data)}\n\n`;
