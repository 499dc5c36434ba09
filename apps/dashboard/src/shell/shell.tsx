import { useMutation } from '@tanstack/react-query';
import { Link, Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useLive } from '../api/live.js';
import { useSession } from '../session/session-context.js';
import { endSession } from '../session/session.js';
import { useText, type TextId } from '../text/text.js';
import { Button } from '../ui/button.js';
import { useFocusLeftBehind } from '../ui/focus/left-behind.js';
import { Notice, ProblemNotice } from '../ui/notice.js';
import { FormChoice } from './form-choice.js';
import { Preferences } from './preferences.js';
import { viewOf } from './view-of.js';

const VIEWS = [
  ['/forms/$formId/endpoints', 'nav.endpoints'],
  ['/forms/$formId/deliveries', 'nav.deliveries'],
  ['/forms/$formId/statistics', 'nav.statistics'],
  ['/forms/$formId/audit', 'nav.audit'],
  ['/forms/$formId/access', 'nav.access'],
] as const satisfies readonly (readonly [string, TextId])[];

/** What stays free beside the view's name. */
const MARGIN_PX = 14;

/** What is around every view. */
export function Shell() {
  const t = useText();
  const { formId } = useParams({ strict: false });
  const main = useFocusOnNewView();
  const nav = useShownInSight();
  const signOut = useMutation({ mutationFn: endSession, onSuccess: () => location.reload() });
  useFocusLeftBehind();
  useLive(formId);
  return (
    <>
      <a className="skip" href="#view">
        {t('shell.skip')}
      </a>
      <header className="top">
        <div className="row">
          <span className="brand">{t('shell.title')}</span>
          <FormChoice />
          <Preferences />
          <Button look="quiet" busy={signOut.isPending} onClick={() => signOut.mutate()}>
            {t('shell.sign-out')}
          </Button>
        </div>
        {signOut.isError && <ProblemNotice error={signOut.error} actions={t('shell.sign-out.failed')} />}
        {formId !== undefined && (
          <nav ref={nav} aria-label={t('shell.views')}>
            {VIEWS.map(([to, id]) => (
              <Link key={to} to={to} params={{ formId }}>
                {t(id)}
              </Link>
            ))}
          </nav>
        )}
      </header>
      <main id="view" tabIndex={-1} ref={main}>
        <LookOnly />
        <Outlet />
      </main>
    </>
  );
}

/** Who goes to another view by keyboard or screen reader begins at its top. */
function useFocusOnNewView() {
  const main = useRef<HTMLElement>(null);
  const view = useRouterState({ select: ({ location }) => viewOf(location.pathname) });
  const seen = useRef(view);
  useEffect(() => {
    if (seen.current === view) return;
    seen.current = view;
    // On some systems an arrow key on the closed list of forms chooses at once: the next one must reach it too.
    if (document.activeElement?.matches('select.form-name')) return;
    main.current?.focus({ preventScroll: true });
  }, [view]);
  return main;
}

/** On a narrow page not all views have room beside each other: the one that is shown is in sight. */
function useShownInSight() {
  const nav = useRef<HTMLElement>(null);
  const view = useRouterState({ select: ({ location }) => viewOf(location.pathname) });
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (link) nav.current!.scrollLeft = link.offsetLeft - nav.current!.offsetLeft - MARGIN_PX;
  }, [view]);
  return nav;
}

function LookOnly() {
  const t = useText();
  const { scopes } = useSession();
  if (scopes.some((scope) => scope.endsWith(':write'))) return null;
  return <Notice kind="info" title={t('shell.viewer')} />;
}
