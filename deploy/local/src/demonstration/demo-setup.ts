import { randomBytes } from 'node:crypto';
import { EVENT_NAMES } from '@form-webhooks/domain';
import type { ApiClient } from './api-client.js';
import { readJsonIfThere, writePrivateFile } from '../state/files.js';

export const DEMO_FORM = 'f_demo';
const FIRST_EMPTY_FORM = 'f_new';
const DEMO_WORKSPACE = 'ws_demo';
const KEY_NAME = 'npm start: ingest';

export interface DemoEndpoint {
  readonly name: 'healthy' | 'flaky';
  readonly id: string;
  readonly secret: string;
}

/** What is shown only once, and so kept in `.local/demo.json` for the next start. */
interface DemoMemory {
  readonly ingestKey: { readonly id: string; readonly key: string };
  readonly endpoints: readonly DemoEndpoint[];
  readonly emptyForm: string;
}

interface Listed<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

interface EndpointView {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly string[];
  readonly enabled: boolean;
}

/** Sets up through the API what the demonstration needs, and finds again what an earlier start set up. */
export class DemoSetup {
  constructor(
    private readonly config: ApiClient,
    private readonly memoryFile: string,
  ) {}

  registerForm(): Promise<unknown> {
    return this.config.put(`/v1/forms/${DEMO_FORM}`, { workspace_id: DEMO_WORKSPACE, name: 'Demonstration' });
  }

  /** A form without endpoints, to begin with: a new one if somebody has added some to the last start's. */
  async emptyForm(): Promise<string> {
    const kept = this.recall().emptyForm ?? FIRST_EMPTY_FORM;
    await this.registerEmpty(kept);
    if ((await this.all<EndpointView>(`/v1/forms/${kept}/endpoints`)).length === 0) return kept;
    const fresh = `${FIRST_EMPTY_FORM}_${randomBytes(4).toString('hex')}`;
    await this.registerEmpty(fresh);
    this.remember({ emptyForm: fresh });
    return fresh;
  }

  private registerEmpty(formId: string): Promise<unknown> {
    return this.config.put(`/v1/forms/${formId}`, { workspace_id: DEMO_WORKSPACE, name: 'New form' });
  }

  /** A key that may do nothing but send events. */
  async ingestKey(): Promise<string> {
    const kept = this.recall().ingestKey;
    if (kept && (await this.hasKey(kept.id))) return kept.key;
    const made = await this.config.post<{ id: string; key: string }>('/v1/api-keys', {
      name: KEY_NAME,
      kind: 'service',
      scopes: ['events:write'],
    });
    this.remember({ ingestKey: { id: made.id, key: made.key } });
    return made.key;
  }

  /** The endpoint with this name at this address, made if it isn't there. */
  async endpoint(name: DemoEndpoint['name'], url: string): Promise<DemoEndpoint> {
    const path = `/v1/forms/${DEMO_FORM}/endpoints`;
    const description = `npm start: ${name}`;
    const listed = (await this.all<EndpointView>(path)).filter((one) => one.description === description);
    const kept = this.recall().endpoints?.find((one) => one.name === name);
    const found = listed.find((one) => one.id === kept?.id);
    // Its secret was lost with the file that kept it: nobody can verify what it would get.
    for (const orphan of listed) if (orphan !== found) await this.config.delete(`${path}/${orphan.id}`);
    if (kept && found) {
      if (found.url !== url || !found.enabled || found.events.length !== EVENT_NAMES.length) {
        await this.config.patch(`${path}/${found.id}`, { url, enabled: true, events: EVENT_NAMES });
      }
      return kept;
    }
    const made = await this.config.post<{ id: string; secret: string }>(path, { url, description });
    const endpoint = { name, id: made.id, secret: made.secret };
    const others = (this.recall().endpoints ?? []).filter((one) => one.name !== name);
    this.remember({ endpoints: [...others, endpoint] });
    return endpoint;
  }

  private async hasKey(id: string): Promise<boolean> {
    return (await this.all<{ id: string }>('/v1/api-keys?kind=service')).some((key) => key.id === id);
  }

  private async all<T>(path: string): Promise<T[]> {
    const items: T[] = [];
    let cursor: string | null = null;
    do {
      const joint = path.includes('?') ? '&' : '?';
      const page: Listed<T> = await this.config.get(cursor === null ? path : `${path}${joint}cursor=${cursor}`);
      items.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return items;
  }

  private recall(): Partial<DemoMemory> {
    return readJsonIfThere<DemoMemory>(this.memoryFile) ?? {};
  }

  private remember(news: Partial<DemoMemory>): void {
    writePrivateFile(this.memoryFile, `${JSON.stringify({ ...this.recall(), ...news }, undefined, 2)}\n`);
  }
}

/** What a run's submissions are called: told apart from those of earlier starts. */
export const newSubmission = (): string => `s_demo_${randomBytes(6).toString('hex')}`;
