import { fetchWithin, LONGEST_CALL_MS } from '../api/fetch-in-time.js';
import { OWN_PAGE } from '../api/own-page.js';

/*
 * Runs by itself, in a file of its own, before the rest of the page is even read: what the page shows first can be asked
 * for only once it is known who is there.
 */

const URL_OF_SESSION = '/v1/dashboard/session';

/**
 * The code in the address's fragment, which is taken out of the address before anything else is done: it must stand in
 * no history and go to nobody but the exchange.
 */
function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code') ?? undefined;
  if (code !== undefined) history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}

function ask(code: string | undefined): Promise<Response> {
  const inTime = fetchWithin(LONGEST_CALL_MS);
  if (code === undefined) return inTime(new Request(URL_OF_SESSION, { headers: OWN_PAGE }));
  const headers = { ...OWN_PAGE, 'content-type': 'application/json' };
  return inTime(new Request(URL_OF_SESSION, { method: 'POST', headers, body: JSON.stringify({ code }) }));
}

export const code = takeCode();

/** The answer to the exchange of the code, or without one to whether there is a session. */
export const firstAnswer: Promise<Response> = ask(code);
// Told by the page. Without this the browser reports it as well, if it comes before the page does.
firstAnswer.catch(() => undefined);
