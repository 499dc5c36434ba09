import { useText } from '../text/text.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { ProblemNotice } from '../ui/notice.js';
import { useSession } from './session-context.js';
import { useSessionWatch } from './session-watch.js';
import type { Session } from './session.js';

/**
 * Stands over the page when the session has ended: the page stays as it is, with all that was typed, and goes on as soon
 * as the host product has opened the dashboard anew in another tab.
 */
export function SessionEnded({ onRenewed }: { readonly onRenewed: (session: Session) => void }) {
  const t = useText();
  const session = useSession();
  const { isOver, problem, check } = useSessionWatch(session, onRenewed);
  if (!isOver) return null;
  return (
    <Dialog title={t('session.ended')} mustDecide onClose={() => undefined}>
      <p>{t('session.ended.what')}</p>
      {problem !== undefined && <ProblemNotice error={problem} />}
      <footer>
        <Button onClick={check}>{t('session.check')}</Button>
        {session.host_url !== null && (
          <a className="button main" href={session.host_url} target="_blank" rel="noopener noreferrer">
            {t('session.open')}
          </a>
        )}
      </footer>
    </Dialog>
  );
}
