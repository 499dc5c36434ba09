import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { LocalFailure, reasonOf } from '../failure.js';
import type { ApiClient } from './api-client.js';

const FORM_ID = /^f_[\w-]{1,60}$/;

/** What the demonstration's host product says of the person whom it sends to the dashboard. */
const PERSON = { user: 'demo-owner', role: 'owner' } as const;

/**
 * Plays the product that hands the dashboard over: each visit gets a code for one exchange and goes on to the dashboard
 * with it, so the link works as often as it is opened. docs/examples/host-page.mjs is the same to copy from.
 */
export class HostPage {
  private readonly server: Server;
  /** Other users of this machine can't guess it: whoever opens the link is the owner of the form. */
  private readonly key = randomBytes(16).toString('base64url');
  private base = '';

  constructor(
    private readonly config: ApiClient,
    private readonly configUrl: string,
  ) {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch((thrown: unknown) => {
        response.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' }).end(reasonOf(thrown));
      });
    });
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, '127.0.0.1', resolve);
    });
    this.base = `http://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  /** Opens the dashboard on a form, signed in. */
  linkTo(formId: string): string {
    return `${this.base}/${this.key}/${formId}`;
  }

  private async answer({ url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, key, formId = ''] = url.split('/');
    if (key !== this.key || !FORM_ID.test(formId)) {
      response.writeHead(404).end();
      return;
    }
    const code = { form_id: formId, host_url: this.linkTo(formId), ...PERSON };
    const { path } = await this.config.post<{ path: string }>('/v1/dashboard/codes', code);
    if (!path.startsWith('/dashboard/')) throw new LocalFailure('The code came with an unknown path.');
    response.writeHead(303, { location: `${this.configUrl}${path}`, 'cache-control': 'no-store' }).end();
  }
}
