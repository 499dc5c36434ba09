import { useEffect, type ReactNode } from 'react';
import { useText } from '../text/text.js';

interface PageTitleProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** What the window is called while a view is shown: by it tabs are told apart, and who listens hears what came. */
export function useWindowTitle(title: string): void {
  const t = useText();
  useEffect(() => {
    document.title = `${title} · ${t('shell.title')}`;
  });
}

/** A view's heading, which is the window's title as well. */
export function PageTitle({ title, actions, children }: PageTitleProps) {
  useWindowTitle(title);
  return (
    <div className="page-title">
      <div>
        <h1>{title}</h1>
        {children}
      </div>
      {actions && <div className="actions">{actions}</div>}
    </div>
  );
}
