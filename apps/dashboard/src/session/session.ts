import { answerOf, api, type Shapes } from '../api/client.js';
import { isStatus } from '../api/problem.js';

/** Who is here, what they may do, and until when. */
export type Session = Shapes['DashboardSessionDto'];
export type Scope = Session['scopes'][number];

const CHANNEL = 'dashboard-session';

/** Tells the other tabs that a session has begun in this one: they go on where they were. */
const tellOthers = (): void => {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('begun');
  channel.close();
};

/** @returns what ends the listening */
export function onSessionBegun(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = listener;
  return () => channel.close();
}

/**
 * Begins a session by the code, or finds the one that is there.
 *
 * @param asked the answer, where it was asked for already
 * @throws ApiProblem 401 if there is neither
 */
export async function beginSession(code: string | undefined, asked?: Promise<Response>): Promise<Session> {
  const by = asked === undefined ? {} : { fetch: () => asked };
  if (code === undefined) return findSession(by);
  try {
    const session = await answerOf(api.POST('/v1/dashboard/session', { body: { code }, ...by }));
    tellOthers();
    return session;
  } catch (thrown) {
    // A page that is loaded again with a used code goes on with the session that the code began.
    return findSession().catch(() => {
      throw thrown;
    });
  }
}

/** @param by how it is asked, if not as every call is */
export const findSession = (by: { readonly fetch?: () => Promise<Response> } = {}): Promise<Session> =>
  answerOf(api.GET('/v1/dashboard/session', by));

/** Ends the session, or finds that there is none. @throws what keeps it from being known that there is none any more */
export async function endSession(): Promise<void> {
  try {
    await answerOf(api.DELETE('/v1/dashboard/session'));
  } catch (thrown) {
    if (!isStatus(thrown, 401)) throw thrown;
  }
}

/** Two sessions of the same person with the same rights: the page can go on where it was. */
export const isSamePerson = (a: Session, b: Session): boolean =>
  a.actor === b.actor && a.workspace_id === b.workspace_id && a.scopes.join() === b.scopes.join();
