import { useText } from '../text/text.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Notice, ProblemNotice } from '../ui/notice.js';
import { useSession } from './session-context.js';
import { useSessionWatch, type SessionWatch } from './session-watch.js';
import type { Session } from './session.js';

/**
 * Says that the session has ended: the page stays as it is, with all that was typed, and goes on as soon as the host
 * product has opened the dashboard anew in another tab.
 */
export function SessionEnded({ onRenewed }: { readonly onRenewed: (session: Session) => void }) {
  const t = useText();
  const { over, problem, check } = useSessionWatch(useSession(), onRenewed);
  if (over === undefined) return null;
  if (over === 'beside') {
    return (
      <div className="session-ended">
        <Notice kind="warning" isNews title={t('session.ended')} actions={<WaysOn check={check} />}>
          <Words problem={problem} />
        </Notice>
      </div>
    );
  }
  return (
    <Dialog title={t('session.ended')} mustDecide onClose={() => undefined}>
      <Words problem={problem} />
      <footer>
        <WaysOn check={check} />
      </footer>
    </Dialog>
  );
}

function Words({ problem }: Pick<SessionWatch, 'problem'>) {
  const t = useText();
  return (
    <>
      <p>{t('session.ended.what')}</p>
      {problem !== undefined && <ProblemNotice asking="read" error={problem} />}
    </>
  );
}

function WaysOn({ check }: Pick<SessionWatch, 'check'>) {
  const t = useText();
  const { host_url: host } = useSession();
  return (
    <>
      <Button onClick={check}>{t('session.check')}</Button>
      {host !== null && (
        <a className="button main" href={host} target="_blank" rel="noopener noreferrer">
          {t('session.open')}
        </a>
      )}
    </>
  );
}
