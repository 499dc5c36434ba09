import type { Attempt } from '../api/queries.js';
import { duration } from '../text/moments.js';
import { useLanguage, useText } from '../text/text.js';
import { Icon } from '../ui/icons.js';
import { Moment } from '../ui/moment.js';
import { errorName } from './explain.js';

/** One attempt in a line: when, with what result, how long it took. */
export function AttemptLine({ attempt }: { readonly attempt: Attempt }) {
  const t = useText();
  const language = useLanguage();
  const { outcome, response, error } = attempt;
  return (
    <span className={`attempt-line ${outcome}`}>
      <Icon name={outcome === 'delivered' ? 'check' : outcome === 'retry' ? 'retry' : 'cross'} />
      <span>{t('attempt.n', { n: attempt.number })}</span>
      <Moment at={attempt.started_at} isInside />
      <strong title={error?.code}>{response?.status ?? (error === null ? '–' : errorName(error.code, t))}</strong>
      <span>{t(`attempt.${outcome}`)}</span>
      <span className="hint">{duration(attempt.duration_ms, language)}</span>
    </span>
  );
}
