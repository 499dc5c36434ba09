/** How long a call may take at most, ms: a URL's check takes up to 20 s, and nothing else takes half as long. */
export const LONGEST_CALL_MS = 30_000;

/**
 * Asks the service, and gives up when no whole answer has come in time: a call that is never answered would keep its
 * button busy for ever.
 */
export const fetchWithin =
  (ms: number, ask: typeof fetch = (...given) => fetch(...given)) =>
  (request: Request): Promise<Response> =>
    ask(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(ms)]) });
