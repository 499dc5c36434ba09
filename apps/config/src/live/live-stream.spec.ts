import { describe, expect, it } from 'vitest';
import { LiveStream } from './live-stream.js';

/** Remembers what was written; `unread` is what nobody has read of it. */
class NotedOutlet {
  text = '';
  unread = 0;
  state: 'open' | 'ended' | 'destroyed' = 'open';

  write(text: string): number {
    this.text += text;
    return this.unread;
  }

  end(text: string): void {
    this.text += text;
    this.state = 'ended';
  }

  destroy(): void {
    this.state = 'destroyed';
  }

  /** What came since it was asked last. */
  take(): string {
    const { text } = this;
    this.text = '';
    return text;
  }
}

function opened(endsAt = 1e6) {
  const outlet = new NotedOutlet();
  const stream = new LiveStream(outlet, { at: endsAt, reason: 'renew' }, 0);
  return { outlet, stream };
}

describe('a live stream', () => {
  it('begins with an id, and tells a page that opens it again to read everything', () => {
    const { outlet, stream } = opened();
    stream.begin(false, 3_000, 0);
    expect(outlet.take()).toBe(
      'retry: 3000\nevent: open\nid: 1970-01-01T00:00:00.000Z\ndata: {"at":"1970-01-01T00:00:00.000Z","topics":[]}\n\n',
    );
    stream.begin(true, 3_000, 0);
    expect(outlet.take()).toContain('"topics":["endpoints","deliveries","replays"]');
  });

  it('tells of a change at once, and of those that follow together after a second', () => {
    const { outlet, stream } = opened();
    stream.tell(['deliveries'], 1_000);
    expect(outlet.take()).toContain('"topics":["deliveries"]');
    stream.tell(['deliveries'], 1_100);
    stream.tell(['replays'], 1_200);
    stream.tick(1_900);
    expect(outlet.take()).toBe('');
    stream.tick(2_000);
    expect(outlet.take()).toContain('"topics":["deliveries","replays"]');
    stream.tick(3_000);
    expect(outlet.take()).toBe('');
  });

  it('says something every quarter of a minute', () => {
    const { outlet, stream } = opened();
    for (let now = 0; now <= 45_000; now += 1_000) stream.tick(now);
    expect(outlet.take()).toBe(':\n\n:\n\n:\n\n');
  });

  it('ends when it must, and says why', () => {
    const { outlet, stream } = opened(5_000);
    expect(stream.tick(4_000)).toBe(true);
    expect(stream.tick(5_000)).toBe(false);
    expect([outlet.state, outlet.take()]).toEqual(['ended', 'event: end\ndata: {"reason":"renew"}\n\n']);
    stream.tell(['deliveries'], 6_000);
    expect(outlet.take()).toBe('');
  });

  it('is dropped when its page reads no more', () => {
    const { outlet, stream } = opened();
    outlet.unread = 20_000;
    stream.tell(['deliveries'], 1_000);
    expect(outlet.state).toBe('destroyed');
    expect(stream.tick(2_000)).toBe(false);
  });
});
