/**
 * Whether the connection of a request ended before its body did, as Node says it. Nobody reads an answer then, and it is
 * no fault of ours: whoever goes away in mid-body must not be able to fill the log or raise an alert.
 */
export const isAbortedBody = (error: unknown): boolean =>
  error instanceof Error && error.message === 'aborted' && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
