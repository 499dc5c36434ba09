import { Agent, request } from 'node:http';

/** Events by HTTP over connections that are kept. */
export class EventPosts {
  private readonly agent: Agent;

  /** @param atATime connections; what comes beyond waits for one */
  constructor(
    private readonly url: string,
    private readonly key: string,
    readonly atATime: number,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: atATime });
  }

  /** @returns the status of the answer, once it is read */
  post(body: string): Promise<number> {
    const headers = {
      authorization: `Bearer ${this.key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    return new Promise((resolve, reject) => {
      const posting = request(this.url, { method: 'POST', agent: this.agent, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode!));
      });
      posting.on('error', reject).end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
