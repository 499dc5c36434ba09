import { Link } from '@tanstack/react-router';
import { useSession } from '../session/session-context.js';
import { useText } from '../text/text.js';
import { Empty } from '../ui/loaded.js';
import { useWindowTitle } from './page-title.js';

/** For an address that leads nowhere. */
export function NotHere() {
  const t = useText();
  const { form_id: formId } = useSession();
  useWindowTitle(t('shell.nothing'));
  return (
    <Empty
      isPage
      title={t('shell.nothing')}
      action={
        <Link className="button main" to="/forms/$formId/endpoints" params={{ formId }}>
          {t('shell.to-endpoints')}
        </Link>
      }
    />
  );
}
