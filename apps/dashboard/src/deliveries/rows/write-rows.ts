import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import type { LogPage } from './log-rows.js';

type Log = InfiniteData<LogPage, string | undefined>;

/**
 * Writes into a log what was learned of its rows elsewhere; the same data if nothing has changed. What was written is
 * no answer to the log's own question: a further page that could not be read stays so, and is not asked for again by
 * itself, with each row that changes.
 */
export function writeRows(queries: QueryClient, queryKey: QueryKey, change: (log: Log) => Log): void {
  const query = queries.getQueryCache().find<Log, Error, Log>({ queryKey });
  const log = query?.state.data;
  if (query === undefined || log === undefined) return;
  const changed = change(log);
  if (changed === log) return;
  if (query.state.status === 'error') query.setState({ data: changed });
  else queries.setQueryData(queryKey, changed);
}
