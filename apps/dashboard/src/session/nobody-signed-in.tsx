import { isStatus } from '../api/problem.js';
import { useText } from '../text/text.js';
import { Button } from '../ui/button.js';
import { Empty } from '../ui/loaded.js';
import { ProblemNotice } from '../ui/notice.js';

/** There is no session: how to get one. Or it can't be found out whether there is: try again. */
export function NobodySignedIn({ error, onAgain }: { readonly error: unknown; readonly onAgain: () => void }) {
  const t = useText();
  const again = (
    <Button icon="retry" onClick={onAgain}>
      {t('common.again')}
    </Button>
  );
  return (
    <main id="view" className="alone">
      {isStatus(error, 401) ? (
        <Empty isPage title={t('session.none')} action={again}>
          <p>{t('session.none.what')}</p>
        </Empty>
      ) : (
        <>
          <h1 className="unseen">{t('shell.title')}</h1>
          <ProblemNotice asking="read" error={error} actions={again} />
        </>
      )}
    </main>
  );
}
