import type { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { follow } from './live.js';

/** More than a page waits before it opens a stream again, or polls once. */
const LONG_MS = 60_000;

/** The streams that were asked for, the latest last. */
const streams: Stream[] = [];

class Stream extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 1;
  onerror = (): void => undefined;

  constructor() {
    super();
    streams.push(this);
  }

  /** As the service begins it, which tells what to read again only if the browser says that it was there before. */
  begin(topics: readonly string[]): void {
    this.dispatchEvent(new Event('open'));
    this.dispatchEvent(new MessageEvent('open', { data: JSON.stringify({ topics }) }));
  }

  /** By an answer that is no stream: the browser gives up. */
  end(): void {
    this.readyState = Stream.CLOSED;
    this.onerror();
  }

  close(): void {
    this.readyState = Stream.CLOSED;
  }
}

describe('the stream of a form', () => {
  const asked = vi.fn(() => Promise.resolve());
  let stop: () => void;
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('EventSource', Stream);
    streams.length = 0;
    asked.mockClear();
    stop = follow('f_1', { invalidateQueries: asked } as unknown as QueryClient);
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('asks for nothing again when it begins, and for all when it was broken', () => {
    streams[0]!.begin([]);
    expect(asked).not.toHaveBeenCalled();
    streams[0]!.begin(['deliveries']);
    expect(asked).toHaveBeenCalledWith(expect.objectContaining({ queryKey: ['form', 'f_1', 'endpoints'] }));
  });

  it('asks for all that changed before it was opened again, which the service takes for a first time', () => {
    streams[0]!.begin([]);
    streams[0]!.end();
    vi.advanceTimersByTime(LONG_MS);
    expect(streams).toHaveLength(2);
    asked.mockClear();
    streams[1]!.begin([]);
    for (const name of ['endpoints', 'deliveries-head', 'replays']) {
      expect(asked).toHaveBeenCalledWith(expect.objectContaining({ queryKey: ['form', 'f_1', name] }));
    }
  });
});
