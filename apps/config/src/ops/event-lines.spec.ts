import { describe, expect, it } from 'vitest';
import { EventLines, type ServerSentEvent } from './event-lines.js';

async function* bytes(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

async function read(...chunks: string[]): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of new EventLines(bytes(...chunks))) events.push(event);
  return events;
}

describe('a stream of events', () => {
  it('is read whole however it is cut, without comments', async () => {
    const text = 'retry: 2000\nevent: open\nid: 1\ndata: {"topics":[]}\n\n:\n\nevent: changed\ndata: {"a":"ü"}\n\n';
    const expected = [
      { event: 'open', data: '{"topics":[]}' },
      { event: 'changed', data: '{"a":"ü"}' },
    ];
    expect(await read(text)).toEqual(expected);
    expect(await read(...text.split(/(?<=.)/s))).toEqual(expected);
  });

  it('is given up if a line of it never ends', async () => {
    await expect(read('x'.repeat(70_000))).rejects.toThrow('no stream of events');
  });
});
