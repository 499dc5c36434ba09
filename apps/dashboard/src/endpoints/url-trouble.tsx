import { Link } from '@tanstack/react-router';
import { ApiProblem } from '../api/problem.js';
import { useText, type TextId } from '../text/text.js';
import { Notice, OwnWords, ProblemNotice } from '../ui/notice.js';

/** What its owner can do about a URL that was not taken. */
const ADVICE: Readonly<Record<string, TextId>> = {
  invalid_url: 'url.invalid',
  too_long: 'problem.field.too-long',
  not_https: 'url.not-https',
  address_not_allowed: 'url.address',
  dns: 'url.dns',
  connect: 'url.connect',
  tls: 'url.tls',
  timeout: 'url.timeout',
  redirect: 'url.redirect',
};

interface UrlTroubleProps {
  readonly formId: string;
  readonly error: unknown;
}

/** Why an endpoint could not be added or changed, and what to do. */
export function UrlTrouble({ formId, error }: UrlTroubleProps) {
  const t = useText();
  if (error instanceof ApiProblem && error.code === 'url_in_use' && error.endpointId !== undefined) {
    return (
      <Notice kind="bad" isNews title={t('url.in-use')}>
        <p>
          <Link to="/forms/$formId/endpoints/$endpointId" params={{ formId, endpointId: error.endpointId }}>
            {t('url.in-use.open')}
          </Link>
        </p>
      </Notice>
    );
  }
  const problem = error instanceof ApiProblem ? error.errors.find(({ field }) => field === 'url') : undefined;
  if (problem === undefined) return <ProblemNotice error={error} />;
  const advice = ADVICE[problem.code];
  return (
    <Notice kind="bad" isNews title={t('url.refused')}>
      {advice !== undefined && <p>{t(advice)}</p>}
      <OwnWords>{problem.message}</OwnWords>
    </Notice>
  );
}
