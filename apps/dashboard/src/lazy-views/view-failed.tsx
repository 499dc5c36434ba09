import type { ErrorComponentProps } from '@tanstack/react-router';
import { useState } from 'react';
import { PageTitle } from '../shell/page-title.js';
import { useText } from '../text/text.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import { ViewNotLoaded } from './lazy-view.js';

/** In place of a view that can't be shown. Nothing is loaded anew by itself: what was typed would be lost. */
export function ViewFailed({ error, reset }: ErrorComponentProps) {
  const t = useText();
  const [isLoading, setLoading] = useState(false);
  const isLate = error instanceof ViewNotLoaded;
  const again = async (): Promise<void> => {
    setLoading(true);
    if (isLate) await error.again();
    setLoading(false);
    reset();
  };
  return (
    <>
      <PageTitle title={t('view.failed')} />
      <Notice
        kind="bad"
        isNews
        title={t(isLate ? 'view.not-loaded' : 'problem.page')}
        actions={
          <>
            <Button look="main" icon="retry" busy={isLoading} onClick={() => void again()}>
              {t('common.again')}
            </Button>
            <Button onClick={() => location.reload()}>{t('view.reload')}</Button>
          </>
        }
      >
        {isLate && <p>{t('view.not-loaded.what')}</p>}
        <p>{t('view.reload.what')}</p>
      </Notice>
    </>
  );
}
