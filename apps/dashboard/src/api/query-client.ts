import { QueryClient } from '@tanstack/react-query';
import { isPassing } from './problem.js';

const MAX_TRIES = 3;
const LONGEST_WAIT_MS = 10_000;

/** What the page knows of the service, and how long it asks again by itself when no answer comes. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      // Being offline is told by the call that fails, not by a query that waits without a word.
      networkMode: 'always',
      retry: (failures, error) => failures < MAX_TRIES && isPassing(error),
      retryDelay: (failures) => Math.min(500 * 2 ** failures, LONGEST_WAIT_MS),
    },
    mutations: { networkMode: 'always' },
  },
});
