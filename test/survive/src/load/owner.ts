import type { BehaviourName } from '../receivers/behaviours.js';
import type { Endpoint, Form } from './load.js';
import type { Receivers } from '../receivers/receivers.js';

/** Whose forms all are. */
export const WORKSPACE = 'ws_survive';
/** Every run has it. */
export const FIRST_FORM = formId(0);
/** Every form has a steady endpoint and two of these, in turn, so that all pairs of neighbours occur. */
const OTHERS: readonly BehaviourName[] = ['brief', 'failing', 'slow', 'cutting', 'throttling', 'hanging'];

/** What was made, as far as it is read here. */
interface Made {
  readonly id: string;
  /** Of an endpoint. */
  readonly secret: string;
  /** Of an API key. */
  readonly key: string;
}

/** The form's owner: registers forms and endpoints over the REST API. */
export class Owner {
  constructor(
    private readonly configUrl: string,
    private readonly key: string,
    private readonly receivers: Receivers,
  ) {}

  async makeForms(count: number): Promise<Form[]> {
    const forms: Form[] = [];
    for (let n = 0; n < count; n += 1) {
      const behaviours = ['steady', OTHERS[n % OTHERS.length]!, OTHERS[(n + 1) % OTHERS.length]!] as const;
      forms.push(await this.makeForm(formId(n), behaviours));
    }
    return forms;
  }

  async makeForm(id: string, behaviours: readonly BehaviourName[]): Promise<Form> {
    await this.call('PUT', `/v1/forms/${id}`, { workspace_id: WORKSPACE, name: id });
    const endpoints: Endpoint[] = [];
    for (const [n, behaviour] of behaviours.entries()) {
      const path = `/${id}/${n}`;
      const url = this.receivers.urlOf(behaviour, path);
      const made = await this.call('POST', `/v1/forms/${id}/endpoints`, { url });
      this.receivers.expectSignature(path, made.secret);
      endpoints.push({ id: made.id, path, behaviour });
    }
    return { id, endpoints };
  }

  /** A key that may send events and nothing else, as the form service has it. */
  async makeServiceKey(): Promise<string> {
    const about = { name: 'form service', kind: 'service', scopes: ['events:write'] };
    return (await this.call('POST', '/v1/api-keys', about)).key;
  }

  private async call(method: string, path: string, body: object): Promise<Made> {
    const response = await fetch(`${this.configUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Made;
  }
}

function formId(n: number): string {
  return `f_${n}`;
}
