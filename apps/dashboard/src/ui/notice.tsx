import type { ReactNode } from 'react';
import { ApiProblem, isStatus, Unreachable } from '../api/problem.js';
import { useText } from '../text/text.js';
import { Icon, type IconName } from './icons.js';
import { problemTitle, unreachableAdvice, type Asking } from './problem-title.js';
import { visibleText } from './visible-text.js';

type Kind = 'info' | 'good' | 'warning' | 'bad';

const ICONS: Readonly<Record<Kind, IconName>> = { info: 'info', good: 'check', warning: 'warning', bad: 'cross' };

interface NoticeProps {
  readonly kind: Kind;
  readonly title?: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** It came while somebody was here, and is said at once. */
  readonly isNews?: boolean;
}

export function Notice({ kind, title, children, actions, isNews = false }: NoticeProps) {
  return (
    <div className={`notice ${kind}`} role={isNews ? 'alert' : undefined}>
      <Icon name={ICONS[kind]} />
      <div className="stack">
        {title !== undefined && <p className="title">{title}</p>}
        {children}
        {actions && <div className="actions">{actions}</div>}
      </div>
    </div>
  );
}

/** What the service itself says: in English, whatever the language of the page. */
export function OwnWords({ children }: { readonly children: string }) {
  return (
    <p className="hint" lang="en" dir="auto">
      {visibleText(children)}
    </p>
  );
}

interface ProblemNoticeProps {
  readonly error: unknown;
  readonly actions?: ReactNode;
  /** Most problems stand beside the button that asked for a change. */
  readonly asking?: Asking;
}

/** What went wrong and what to do in the page's language, with the service's own words, which say it most exactly. */
export function ProblemNotice({ error, actions, asking = 'write' }: ProblemNoticeProps) {
  const t = useText();
  if (error instanceof Unreachable) {
    return (
      <Notice kind="bad" isNews title={t('problem.unreachable')} actions={actions}>
        <p>{t(unreachableAdvice(asking, navigator.onLine))}</p>
      </Notice>
    );
  }
  // What the service says then is for programs; the page says at its foot how to go on.
  if (isStatus(error, 401)) return <Notice kind="warning" isNews title={t('problem.session')} />;
  if (!(error instanceof ApiProblem)) {
    return <Notice kind="bad" isNews title={t('problem.page')} actions={actions} />;
  }
  return (
    <Notice kind="bad" isNews title={t(...problemTitle(error))} actions={actions}>
      <OwnWords>{error.message}</OwnWords>
      {error.errors.length > 1 && (
        <ul className="hint" lang="en">
          {error.errors.map(({ field, message }) => (
            <li key={`${field} ${message}`}>{visibleText(message)}</li>
          ))}
        </ul>
      )}
      {error.requestId !== undefined && error.status >= 500 && (
        <p className="hint">{t('problem.id', { id: error.requestId })}</p>
      )}
    </Notice>
  );
}
