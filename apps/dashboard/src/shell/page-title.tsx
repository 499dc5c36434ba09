import { useEffect, type ReactNode } from 'react';
import { useText } from '../text/text.js';

interface PageTitleProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A view's heading, which is the window's title as well. */
export function PageTitle({ title, actions, children }: PageTitleProps) {
  const t = useText();
  useEffect(() => {
    document.title = `${title} · ${t('shell.title')}`;
  });
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
