/** An event of a stream of server-sent events. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/** Longer than any line that config sends: what sends more is something else. */
const MAX_LINE_LENGTH = 64 * 1024;

/** Reads server-sent events as they come. It ends with the stream. */
export class EventLines implements AsyncIterable<ServerSentEvent> {
  constructor(private readonly body: AsyncIterable<Uint8Array>) {}

  /** @throws Error if a line never ends */
  async *[Symbol.asyncIterator](): AsyncIterator<ServerSentEvent> {
    const decoder = new TextDecoder();
    let [text, event, data] = ['', '', ''];
    for await (const chunk of this.body) {
      text += decoder.decode(chunk, { stream: true });
      const lines = text.split('\n');
      text = lines.pop()!;
      if (text.length > MAX_LINE_LENGTH) throw new Error('this is no stream of events');
      for (const line of lines) {
        if (line.startsWith('event:')) event = line.slice('event:'.length).trim();
        if (line.startsWith('data:')) data = line.slice('data:'.length).trim();
        if (line === '' && data !== '') {
          yield { event, data };
          [event, data] = ['', ''];
        }
      }
    }
  }
}
