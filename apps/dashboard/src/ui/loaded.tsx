import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isStatus, Unreachable } from '../api/problem.js';
import { useText } from '../text/text.js';
import { Button } from './button.js';
import { Notice, ProblemNotice } from './notice.js';

interface Asked<T> extends Pick<UseQueryResult<T>, 'data' | 'error' | 'isPending' | 'isFetching'> {
  readonly refetch: () => unknown;
}

interface LoadedProps<T> {
  readonly query: Asked<T>;
  readonly children: (data: T) => ReactNode;
}

/** What was asked for, or what keeps it from being shown. What is there stays there when a later question fails. */
export function Loaded<T>({ query, children }: LoadedProps<T>) {
  const t = useText();
  const { data, error, isPending, isFetching, refetch } = query;
  const again = (
    <Button icon="retry" busy={isFetching} onClick={() => void refetch()}>
      {t('common.again')}
    </Button>
  );
  if (data === undefined) {
    if (isPending && error === null) return <Loading />;
    return <ProblemNotice asking="repeated" error={error} actions={again} />;
  }
  return (
    <>
      {error !== null &&
        !isStatus(error, 401) &&
        (error instanceof Unreachable ? (
          <Notice kind="warning" isNews title={t('problem.stale')} actions={again} />
        ) : (
          <ProblemNotice asking="repeated" error={error} actions={again} />
        ))}
      {children(data)}
    </>
  );
}

export function Loading() {
  const t = useText();
  return (
    <p className="loading" role="status">
      <span className="spinner" aria-hidden="true" /> {t('common.loading')}
    </p>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** There is nothing else on the page: its title is the page's heading. */
  readonly isPage?: boolean;
}

/** Nothing is here, why, and what to do about it. */
export function Empty({ title, children, action, isPage = false }: EmptyProps) {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <div className="empty">
      <Heading>{title}</Heading>
      {children}
      {action}
    </div>
  );
}
