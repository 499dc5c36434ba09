import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { cancelledQuery, type Endpoint } from '../api/queries.js';
import { ReplayMatching } from '../replays/replay-matching.js';
import { useMay } from '../session/session-context.js';
import { plainNumber } from '../text/moments.js';
import { useLanguage, useText } from '../text/text.js';
import { Button } from '../ui/button.js';
import { Moment } from '../ui/moment.js';
import { Notice, ProblemNotice } from '../ui/notice.js';
import { useChangeEndpoint } from './change-endpoint.js';

interface WhyOffProps {
  readonly endpoint: Endpoint;
}

/** Why an endpoint is off and since when; it can be switched on with what was cancelled meanwhile, or without. */
export function WhyOff({ endpoint }: WhyOffProps) {
  const [isReplaying, setReplaying] = useState(false);
  return (
    <>
      {!endpoint.enabled && <Why endpoint={endpoint} onSendAgain={() => setReplaying(true)} />}
      {isReplaying && (
        <ReplayMatching
          formId={endpoint.form_id}
          filter={{ endpoint_id: endpoint.id, state: 'cancelled' }}
          onClose={() => setReplaying(false)}
        />
      )}
    </>
  );
}

function Why({ endpoint, onSendAgain }: WhyOffProps & { readonly onSendAgain: () => void }) {
  const t = useText();
  const isGone = endpoint.disabled_reason === 'gone';
  return (
    <Notice kind={isGone ? 'bad' : 'info'} title={t(isGone ? 'endpoint.off.gone' : 'endpoint.off')}>
      <p>{t(isGone ? 'endpoint.off.gone.what' : 'endpoint.off.what')}</p>
      {endpoint.disabled_at !== null && (
        <p>
          {t('endpoint.off.since')} <Moment at={endpoint.disabled_at} as="full" />
        </p>
      )}
      <Cancelled endpoint={endpoint} onSendAgain={onSendAgain} />
    </Notice>
  );
}

function Cancelled({ endpoint, onSendAgain }: WhyOffProps & { readonly onSendAgain: () => void }) {
  const t = useText();
  const language = useLanguage();
  const mayChange = useMay('endpoints:write');
  const mayReplay = useMay('deliveries:replay');
  const change = useChangeEndpoint(endpoint, onSendAgain);
  const found = useQuery(cancelledQuery(endpoint.form_id, endpoint.id)).data;
  const total = found?.total ?? 0;
  if (total === 0) return null;
  return (
    <>
      <p>
        <Link
          to="/forms/$formId/deliveries"
          params={{ formId: endpoint.form_id }}
          search={{ endpoint_id: endpoint.id, state: 'cancelled' }}
        >
          {t(found?.precision === 'exact' ? 'endpoint.off.cancelled' : 'endpoint.off.cancelled.about', {
            count: total,
            number: plainNumber(total, language),
          })}
        </Link>
      </p>
      {change.isError && <ProblemNotice error={change.error} />}
      {mayChange && mayReplay && (
        <div className="actions">
          <Button
            icon="retry"
            busy={change.isPending}
            onClick={() => change.mutate({ changes: { enabled: true }, version: endpoint.version })}
          >
            {t('endpoint.off.send-again')}
          </Button>
        </div>
      )}
    </>
  );
}
