import { endpointsQuery, healthQuery, LAST_DAY, statsQuery } from './queries.js';
import { queryClient } from './query-client.js';

/** Asks for what the first view shows while the view is still made. What goes wrong with it is told by the view. */
export function askAhead(formId: string): void {
  void queryClient.prefetchQuery(endpointsQuery(formId));
  void queryClient.prefetchQuery(healthQuery(formId));
  void queryClient.prefetchQuery(statsQuery(formId, LAST_DAY));
}
