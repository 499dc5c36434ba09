import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { bodyOf, type LoadEvent } from './load.js';
import { Door, EventRefused } from './publisher.js';

const PAUSE_MS = 100;
const TIMEOUT_MS = 15_000;
const AGAIN = new Set([408, 425, 429]);

/** `POST /v1/events` at one of the ingest services, and at another one when that fails. */
export class HttpDoor extends Door {
  override readonly name = 'http';
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 });
  private turn = 0;

  constructor(
    private readonly urls: readonly string[],
    private readonly key: string,
  ) {
    super();
  }

  override async publish(event: LoadEvent, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const url = this.urls[this.turn++ % this.urls.length]!;
      const answer = await this.post(url, event).catch(() => undefined);
      if (answer?.status === 202) return;
      if (answer && answer.status >= 400 && answer.status < 500 && !AGAIN.has(answer.status)) {
        throw new EventRefused(`${answer.status} ${answer.text}`);
      }
      await wait(PAUSE_MS);
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private post(url: string, event: LoadEvent): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((resolve, reject) => {
      const body = bodyOf(event);
      const headers = {
        authorization: `Bearer ${this.key}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'idempotency-key': event.key,
      };
      const options = { method: 'POST', agent: this.agent, headers, timeout: TIMEOUT_MS };
      const sent = request(`${url}/v1/events`, options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode!, text: Buffer.concat(chunks).toString('utf8') }),
        );
      });
      sent.on('error', reject);
      sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
      sent.end(body);
    });
  }
}
