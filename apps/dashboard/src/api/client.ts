import createClient from 'openapi-fetch';
import { fetchWithin, LONGEST_CALL_MS } from './fetch-in-time.js';
import type { components, paths } from './generated/schema.js';
import { OWN_PAGE } from './own-page.js';
import { ApiProblem, isStatus, Unreachable } from './problem.js';

/** The shapes of the API, by their names there. */
export type Shapes = components['schemas'];

/** Calls of the API, typed by its OpenAPI document. The session's cookie goes along by itself. */
export const api = createClient<paths>({
  baseUrl: location.origin,
  headers: OWN_PAGE,
  fetch: fetchWithin(LONGEST_CALL_MS),
});

const endings = new Set<() => void>();

/** Tells when a call was answered that nobody was signed in when it was made. @returns what ends the telling */
export function onSessionEnd(listener: () => void): () => void {
  endings.add(listener);
  return () => endings.delete(listener);
}

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** What a call was answered with. @throws ApiProblem for any status but 2xx, Unreachable if no answer came in time */
export async function read<T>(call: Promise<Answer<T>>): Promise<T> {
  try {
    return await answerOf(call);
  } catch (thrown) {
    if (isStatus(thrown, 401)) for (const tell of endings) tell();
    throw thrown;
  }
}

/** The same for the question whether there is a session, whose answer is no news. @throws as `read` does */
export async function answerOf<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call.catch((thrown: unknown) => {
    throw new Unreachable(thrown);
  });
  if (response.ok) return data!;
  throw new ApiProblem(response.status, error ?? {}, response.headers.get('retry-after'));
}
