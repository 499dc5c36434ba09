import { randomUUID } from 'node:crypto';
import type { ProblemDto } from '@form-webhooks/http-api';
import { AccessSettings } from '../access/access-settings.js';
import type { Installation } from './installation.js';
import { EXIT, OpsFailure, type ExitCode } from './ops-command.js';
import { callable, OpsSettings, OwnAddresses } from './ops-settings.js';

const ANSWER_WITHIN_MS = 30_000;

/** Config's API, as the operator calls it with the installation's first key. It speaks to that address alone. */
export class ApiClient {
  readonly url: string;
  private readonly key: string;

  /** @throws OpsFailure if its address or the key is missing */
  constructor(installation: Installation) {
    const { http } = installation.settings(OwnAddresses);
    this.url = (installation.settings(OpsSettings).configUrl ?? callable(http.host, http.port)).replace(/\/$/, '');
    this.key = installation.settings(AccessSettings).adminApiKey;
  }

  /** @returns the answer's body. @throws OpsFailure with what the API says is wrong */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.key}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (method === 'POST') headers['idempotency-key'] = randomUUID();
    const response = await this.send(path, {
      ...{ method, headers, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw refusal(this.url, response.status, text);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** An answer that goes on, such as a stream of events. @throws OpsFailure */
  async stream(path: string, signal: AbortSignal, headers: Readonly<Record<string, string>>): Promise<Response> {
    const response = await this.send(path, {
      headers: { ...headers, authorization: `Bearer ${this.key}`, accept: 'text/event-stream' },
      signal,
    });
    if (!response.ok) throw refusal(this.url, response.status, await response.text());
    return response;
  }

  private async send(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${this.url}${path}`, { ...init, redirect: 'error' });
    } catch (error) {
      if (init.signal?.aborted && (init.signal.reason as Error).name === 'AbortError') throw error;
      throw new OpsFailure(
        `config does not answer at ${this.url}: ${causeOf(error)}`,
        'start config, or correct its address in CONFIG_URL',
        EXIT.unable,
        'docs/troubleshooting.md#config-is-down',
      );
    }
  }
}

/** Node's own message is only "fetch failed". */
const causeOf = (error: unknown): string => {
  const { message, cause } = error as Error;
  return cause instanceof Error ? ((cause as Error & { code?: string }).code ?? cause.message) : message;
};

const ADVICE: Readonly<Record<number, string>> = {
  401: 'ADMIN_API_KEY must be the one that config was started with, or another valid service key',
  403: 'use a key with this scope: ADMIN_API_KEY has every one',
  404: 'look at the id: `find <id>` knows events and deliveries of every form',
  429: 'wait as long as it says, then try again',
  503: 'try again in a moment; `doctor` says what is wrong',
};

/** Statuses of a call that names something wrong, and so never goes well. */
const WRONG_CALL: readonly number[] = [400, 405, 413, 414, 415, 422];

function refusal(url: string, status: number, text: string): OpsFailure {
  const problem = asProblem(text);
  if (problem === undefined) {
    const address = "set CONFIG_URL to the address of config's API";
    const advice = status >= 500 ? `look at config and at what stands before it, or ${address}` : address;
    return new OpsFailure(`what answers at ${url} is not config: it says ${status}`, advice);
  }
  const advice =
    ADVICE[status] ?? (status >= 500 ? lookInLog(problem) : 'correct the call; `--help` says what it takes');
  return new OpsFailure(`config answers ${status}: ${wordsOf(problem)}`, advice, exitCodeOf(status));
}

const lookInLog = ({ request_id }: Words): string => `look in config's log for the request id ${request_id}`;

function exitCodeOf(status: number): ExitCode {
  if (status === 404) return EXIT.found;
  return WRONG_CALL.includes(status) ? EXIT.usage : EXIT.unable;
}

/** Each sentence once: of a single member that is wrong the detail says the same. */
function wordsOf({ detail, errors = [] }: Words): string {
  const members = errors.map(({ field, message }) => `${field}: ${message}`);
  return members.length === 1 && errors[0]!.message === detail ? members[0]! : [detail, ...members].join('\n  ');
}

type Words = Pick<ProblemDto, 'detail' | 'errors' | 'request_id'>;

/** Undefined for what some other server answers. */
function asProblem(text: string): Words | undefined {
  try {
    const problem = JSON.parse(text) as Partial<ProblemDto> | null;
    return typeof problem?.detail === 'string' ? (problem as Words) : undefined;
  } catch {
    return undefined;
  }
}
