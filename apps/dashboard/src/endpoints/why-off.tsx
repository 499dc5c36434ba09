import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { BECAUSE_OFF } from '../api/cancelled-while-off.js';
import { cancelledQuery, type Endpoint } from '../api/queries.js';
import type { DeliveryFilter } from '../deliveries/delivery-filter.js';
import { ReplayMatching } from '../replays/replay-matching.js';
import { useMay } from '../session/session-context.js';
import { plainNumber } from '../text/moments.js';
import { useLanguage, useText } from '../text/text.js';
import { Button } from '../ui/button.js';
import { Moment } from '../ui/moment.js';
import { Notice, ProblemNotice } from '../ui/notice.js';
import { afterSwitch, useChangeEndpoint } from './change-endpoint.js';

interface WhyOffProps {
  readonly endpoint: Endpoint;
}

interface SendAgainProps extends WhyOffProps {
  readonly onSendAgain: (filter: DeliveryFilter) => void;
}

/** Why an endpoint is off and since when; it can be switched on with what was cancelled meanwhile, or without. */
export function WhyOff({ endpoint }: WhyOffProps) {
  const [again, setAgain] = useState<DeliveryFilter>();
  return (
    <>
      {!endpoint.enabled && <Why endpoint={endpoint} onSendAgain={setAgain} />}
      {again && <ReplayMatching formId={endpoint.form_id} filter={again} onClose={() => setAgain(undefined)} />}
    </>
  );
}

function Why({ endpoint, onSendAgain }: SendAgainProps) {
  const t = useText();
  const isGone = endpoint.disabled_reason === 'gone';
  return (
    <Notice kind={isGone ? 'bad' : 'info'} title={t(isGone ? 'endpoint.off.gone' : 'endpoint.off')}>
      <p>{t(isGone ? 'endpoint.off.gone.what' : 'endpoint.off.what')}</p>
      {endpoint.disabled_at !== null && (
        <>
          <p>
            {t('endpoint.off.since')} <Moment at={endpoint.disabled_at} as="full" />
          </p>
          <Cancelled endpoint={endpoint} offSince={endpoint.disabled_at} onSendAgain={onSendAgain} />
        </>
      )}
    </Notice>
  );
}

function Cancelled({ endpoint, offSince, onSendAgain }: SendAgainProps & { readonly offSince: string }) {
  const t = useText();
  const language = useLanguage();
  const mayChange = useMay('endpoints:write');
  const mayReplay = useMay('deliveries:replay');
  const found = useQuery(cancelledQuery(endpoint.form_id, endpoint.id, offSince)).data;
  const from = found?.from;
  const filter = { endpoint_id: endpoint.id, ...BECAUSE_OFF, ...(from !== undefined && { from }) };
  const change = useChangeEndpoint(endpoint, () => onSendAgain(filter));
  if (found === undefined || found.count === 0) return null;
  const { count, isLeast } = found;
  return (
    <>
      <p>
        <Link to="/forms/$formId/deliveries" params={{ formId: endpoint.form_id }} search={filter}>
          {t(isLeast ? 'endpoint.off.cancelled.about' : 'endpoint.off.cancelled', {
            count,
            number: plainNumber(count, language),
          })}
        </Link>
      </p>
      {change.isError && <ProblemNotice error={change.error} />}
      {mayChange && mayReplay && (
        <div className="actions">
          <Button
            icon="retry"
            busy={change.isPending}
            onClick={() =>
              change.mutate({
                changes: { enabled: true },
                version: endpoint.version,
                afterOther: (now) => afterSwitch(now, true),
              })
            }
          >
            {t('endpoint.off.send-again')}
          </Button>
        </div>
      )}
    </>
  );
}
