import { LocalFailure, reasonOf } from '../failure.js';

interface Problem {
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly field?: string; readonly message?: string }[];
}

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

const TIMEOUT_MS = 30_000;

/** Calls one of the product's HTTP APIs with a key. */
export class ApiClient {
  constructor(
    private readonly baseUrl: string,
    private readonly key: string,
  ) {}

  get<T>(path: string): Promise<T> {
    return this.expect<T>('GET', path);
  }

  /** @param body an object, or JSON text that must arrive as it is */
  post<T>(path: string, body: object | string): Promise<T> {
    return this.expect<T>('POST', path, body);
  }

  put<T>(path: string, body: object): Promise<T> {
    return this.expect<T>('PUT', path, body);
  }

  patch<T>(path: string, body: object): Promise<T> {
    return this.expect<T>('PATCH', path, body);
  }

  delete(path: string): Promise<void> {
    return this.expect('DELETE', path);
  }

  /** @throws LocalFailure with what the service says is wrong, unless it answers 2xx */
  private async expect<T>(method: string, path: string, body?: object | string): Promise<T> {
    const { status, body: answer } = await this.call<T & Problem>(method, path, body);
    if (status >= 200 && status < 300) return answer;
    const errors = (answer?.errors ?? []).map((error) => `${error.field ?? ''}: ${error.message ?? ''}`);
    const words = [answer?.title, answer?.detail, ...errors].filter((word) => word !== undefined).join(' – ');
    throw new LocalFailure(`${method} ${path} was answered with ${status}${words === '' ? '' : `: ${words}`}.`);
  }

  private async call<T>(method: string, path: string, body?: object | string): Promise<Answer<T>> {
    const json = typeof body === 'object' ? JSON.stringify(body) : body;
    try {
      const response = await fetch(new URL(path, this.baseUrl), {
        method,
        headers: {
          authorization: `Bearer ${this.key}`,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(json === undefined ? {} : { body: json }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.text();
      return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
    } catch (thrown) {
      throw new LocalFailure(`${method} ${path} failed: ${reasonOf(thrown)}.`);
    }
  }
}
