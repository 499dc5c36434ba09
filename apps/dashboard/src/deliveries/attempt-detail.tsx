import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, read } from '../api/client.js';
import type { Attempt, Delivery } from '../api/queries.js';
import { useMay } from '../session/session-context.js';
import { useText } from '../text/text.js';
import { BodyView } from '../ui/body/body-view.js';
import { Button } from '../ui/button.js';
import { CopyButton } from '../ui/copy-button.js';
import { Notice, OwnWords, ProblemNotice } from '../ui/notice.js';
import { visibleText } from '../ui/visible-text.js';
import { AttemptAnswer } from './attempt-answer.js';
import { AttemptLine } from './attempt-line.js';
import { AttemptTimings } from './attempt-timings.js';
import { causeOf, errorName } from './explain.js';
import { HeaderList } from './header-list.js';

interface AttemptDetailProps {
  readonly delivery: Pick<Delivery, 'form_id' | 'delivery_id'>;
  readonly attempt: Attempt;
  /** Whether it begins open; from then on it is its reader's. */
  readonly isOpen: boolean;
}

/** An attempt as it was made: what was sent and what came back, byte for byte. */
export function AttemptDetail({ delivery, attempt: listed, isOpen }: AttemptDetailProps) {
  const t = useText();
  const whole = useWholeAttempt(delivery, listed.id);
  const attempt = whole.data ?? listed;
  // The next attempt must not close the one that is being read.
  const [beganOpen] = useState(isOpen);
  return (
    <details className="attempt" open={beganOpen}>
      <summary>
        <AttemptLine attempt={attempt} />
      </summary>
      <div className="stack">
        <Failure attempt={attempt} />
        <AttemptTimings attempt={attempt} />
        <section role="group" aria-label={t('attempt.request')}>
          <h4>{t('attempt.request')}</h4>
          <p className="request-line" dir="ltr">
            <code>
              {attempt.request.method} {visibleText(attempt.request.url)}
            </code>
          </p>
          <p className="hint facts">
            {attempt.remote_address !== null && (
              <span>{t('attempt.address', { address: attempt.remote_address })}</span>
            )}
            {attempt.resent && <span>{t('attempt.resent')}</span>}
          </p>
          <HeaderList headers={attempt.request.headers} />
          <RequestBody attempt={attempt} whole={whole} />
        </section>
        {attempt.response && <AttemptAnswer response={attempt.response} number={attempt.number} />}
      </div>
    </details>
  );
}

/** Long bodies come with the attempt alone. */
const useWholeAttempt = ({ form_id, delivery_id }: AttemptDetailProps['delivery'], attempt_id: string) =>
  useMutation({
    mutationFn: () =>
      read(
        api.GET('/v1/forms/{form_id}/deliveries/{delivery_id}/attempts/{attempt_id}', {
          params: { path: { form_id, delivery_id, attempt_id } },
        }),
      ),
  });

function Failure({ attempt: { outcome, response, error } }: { readonly attempt: Attempt }) {
  const t = useText();
  if (outcome === 'delivered') return null;
  const cause = causeOf(response?.status ?? null, error?.code ?? null);
  return (
    <Notice
      kind={outcome === 'retry' ? 'warning' : 'bad'}
      title={error === null ? t('attempt.refused') : t('attempt.error', { kind: errorName(error.code, t) })}
    >
      {cause !== undefined && <p>{t(cause)}</p>}
      {error !== null && <OwnWords>{error.message}</OwnWords>}
    </Notice>
  );
}

interface RequestBodyProps {
  readonly attempt: Attempt;
  readonly whole: ReturnType<typeof useWholeAttempt>;
}

function RequestBody({ attempt, whole }: RequestBodyProps) {
  const t = useText();
  const mayRead = useMay('payload:read');
  const { body, curl } = attempt.request;
  if (body === null && !mayRead) return <p className="hint">{t('body.not-yours')}</p>;
  if (body === null && whole.data === undefined) {
    return (
      <>
        {whole.isError && <ProblemNotice asking="read" error={whole.error} />}
        <Button busy={whole.isPending} onClick={() => whole.mutate()}>
          {t('body.load')}
        </Button>
      </>
    );
  }
  if (body === null) return <p className="hint">{t('body.erased')}</p>;
  return (
    <>
      {curl !== null && (
        <div className="actions">
          <CopyButton text={curl} label={t('attempt.curl')} />
          <span className="hint">{t('attempt.curl.hint')}</span>
        </div>
      )}
      <BodyView body={body} name={t('attempt.request.name', { n: attempt.number })} />
    </>
  );
}
