import { FIRST_FORM, WORKSPACE } from '../../load/owner.js';
import type { Scene } from '../fault.js';
import { callConfig } from './config-api.js';
import { asRole } from './database-roles.js';

export type Headers = Readonly<Record<string, string>>;

/** What config answers to who asks what he may do. */
export async function statusOf({ stage }: Scene, headers: Headers): Promise<number> {
  const response = await fetch(`${stage.configUrl}/v1/me`, { headers });
  await response.arrayBuffer();
  return response.status;
}

/** @throws Error that says what was answered otherwise */
export async function expectStatus(scene: Scene, status: number, headers: Headers, what: string): Promise<void> {
  const answered = await statusOf(scene, headers);
  if (answered !== status) throw new Error(`${what} was answered with ${answered} instead of ${status}`);
}

/** What whoever has a token makes with it, and what is left of that when the token counts no more. */
export class MadeWithToken {
  private constructor(
    private readonly scene: Scene,
    private readonly since: Date,
    private readonly session: Headers,
    private readonly key: Headers,
  ) {}

  static async make(scene: Scene, token: Headers): Promise<MadeWithToken> {
    const since = new Date();
    const made = await post(scene, 'dashboard/codes', token, { form_id: FIRST_FORM });
    const { code } = (await made.json()) as { readonly code: string };
    const begun = await post(scene, 'dashboard/session', { 'x-dashboard': '1' }, { code });
    await begun.arrayBuffer();
    const session = { cookie: begun.headers.get('set-cookie')!.split(';')[0]! };
    const created = await post(scene, 'api-keys', token, { name: 'kept', scopes: ['deliveries:read'] });
    const { key } = (await created.json()) as { readonly key: string };
    return new MadeWithToken(scene, since, session, { authorization: `Bearer ${key}` });
  }

  /** As docs/key-compromise.md has it. @throws Error if it had ended by itself, or doesn't end */
  async end(): Promise<void> {
    await this.expect(200);
    await asRole(this.scene.stage.postgres.url, (client) => client.query('DELETE FROM dashboard_grants'));
    const revoked = await this.revokeKeys();
    await this.expect(401);
    this.scene.note(`a session and ${revoked} API key that it made lived on until they were ended`);
  }

  private async expect(status: number): Promise<void> {
    await expectStatus(this.scene, status, this.session, 'a session that an old token opened');
    await expectStatus(this.scene, status, this.key, 'an API key that an old token made');
  }

  /** Those of a person, by the audit log; the run's own are made by keys. @returns how many */
  private async revokeKeys(): Promise<number> {
    const query = `workspace_id=${WORKSPACE}&action=api_key.created&from=${this.since.toISOString()}`;
    type Entries = { readonly items: readonly { readonly actor: string; readonly target: { readonly id: string } }[] };
    const { items } = (await callConfig(this.scene, 'GET', `/v1/audit-log?${query}`)) as Entries;
    const made = items.filter(({ actor }) => actor.startsWith('user:'));
    for (const { target } of made) {
      await callConfig(this.scene, 'DELETE', `/v1/api-keys/${target.id}?workspace_id=${WORKSPACE}`);
    }
    return made.length;
  }
}

async function post({ stage }: Scene, path: string, headers: Headers, body: object): Promise<Response> {
  const response = await fetch(`${stage.configUrl}/v1/${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return response;
}
