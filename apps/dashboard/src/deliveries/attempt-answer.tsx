import { useMemo } from 'react';
import type { Attempt } from '../api/queries.js';
import { useText } from '../text/text.js';
import { BodyView } from '../ui/body/body-view.js';
import { answerBody } from './answer-body.js';
import { HeaderList } from './header-list.js';

interface AttemptAnswerProps {
  readonly response: NonNullable<Attempt['response']>;
  readonly number: number;
}

/** What a receiver answered to an attempt. */
export function AttemptAnswer({ response, number }: AttemptAnswerProps) {
  const t = useText();
  const body = useMemo(() => answerBody(response), [response]);
  return (
    <section role="group" aria-label={t('attempt.response')}>
      <h4>{t('attempt.response')}</h4>
      <p className="request-line">
        <code>HTTP {response.status}</code>
      </p>
      <HeaderList headers={response.headers} />
      {body === null ? (
        <p className="hint">{t('body.not-shown')}</p>
      ) : body.text === '' && !body.bytes ? (
        <p className="hint">{t('body.empty')}</p>
      ) : (
        <BodyView body={body.text} bytes={body.bytes} name={t('attempt.response.name', { n: number })} />
      )}
      {response.truncated && <p className="hint">{t('body.truncated')}</p>}
    </section>
  );
}
