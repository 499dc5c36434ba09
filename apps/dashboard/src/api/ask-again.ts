import type { Query, QueryClient } from '@tanstack/react-query';

/**
 * Reads again what is shown: of one form, or of everything. The pages of a log are left as they are, since all that
 * were scrolled to would be read, hundreds of calls; their newest rows come with the log's head.
 */
export function askAgain(queries: QueryClient, formId?: string): void {
  void queries.invalidateQueries({
    ...(formId !== undefined && { queryKey: ['form', formId] }),
    predicate: (query) => !isReadLog(query),
  });
}

/** A log that has shown nothing yet, as after a refusal, is asked for again like anything else. */
const isReadLog = ({ queryKey, state }: Pick<Query, 'queryKey' | 'state'>): boolean =>
  queryKey[2] === 'deliveries' && state.data !== undefined;
