import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { deliveryQuery, endpointsQuery, type DeliveryDetail, type Endpoint } from '../api/queries.js';
import { useMay } from '../session/session-context.js';
import { useText } from '../text/text.js';
import { CopyButton } from '../ui/copy-button.js';
import { Icon } from '../ui/icons.js';
import { Loaded } from '../ui/loaded.js';
import { Moment } from '../ui/moment.js';
import { StateMark } from '../ui/state-mark.js';
import { AttemptDetail } from './attempt-detail.js';
import { AttemptComparison } from './comparison/attempt-comparison.js';
import { DeliveryActions } from './delivery-actions.js';
import { attemptsAllowed } from './explain.js';
import { Explanation } from './explanation.js';

/** One delivery beside the log: what became of it, attempt by attempt. */
export function DeliveryPanel() {
  const t = useText();
  const { formId, deliveryId } = useParams({ from: '/forms/$formId/deliveries/$deliveryId' });
  const delivery = useQuery(deliveryQuery(formId, deliveryId));
  const panel = useRef<HTMLElement>(null);
  const navigate = useNavigate();
  useEffect(() => panel.current?.focus(), [deliveryId]);
  const close = { to: '/forms/$formId/deliveries', params: { formId }, search: true } as const;
  return (
    <aside
      className="panel delivery-panel"
      ref={panel}
      tabIndex={-1}
      aria-labelledby="delivery"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]'))
          void navigate(close);
      }}
    >
      <header>
        <h2 id="delivery">{t('delivery.title')}</h2>
        <Link {...close} className="button quiet" aria-label={t('common.close')}>
          <Icon name="cross" />
        </Link>
      </header>
      <Loaded query={delivery}>{(data) => <Panel delivery={data} />}</Loaded>
    </aside>
  );
}

function Panel({ delivery }: { readonly delivery: DeliveryDetail }) {
  const t = useText();
  const mayReplay = useMay('deliveries:replay');
  const endpoints = useQuery(endpointsQuery(delivery.form_id)).data;
  const endpoint = endpoints?.find(({ id }) => id === delivery.endpoint_id);
  const last = delivery.attempts.at(-1);
  return (
    <div className="stack">
      <p className="row">
        <StateMark
          state={delivery.state}
          attempts={delivery.attempt_count}
          allowed={attemptsAllowed(delivery, endpoint)}
        />
        {delivery.trigger !== 'event' && <span className="tag">{t(`trigger.${delivery.trigger}`)}</span>}
      </p>
      <Explanation delivery={delivery} />
      {mayReplay && <DeliveryActions delivery={delivery} />}
      <Facts delivery={delivery} endpoint={endpoint} />
      <h3>{t('delivery.attempts')}</h3>
      {delivery.attempts.length > 1 && <AttemptComparison attempts={delivery.attempts} />}
      {delivery.attempts.length === 0 ? (
        <p className="hint">{t('delivery.attempts.none')}</p>
      ) : (
        <ol className="timeline" reversed>
          {delivery.attempts.toReversed().map((attempt) => (
            <li key={attempt.id}>
              <AttemptDetail delivery={delivery} attempt={attempt} isOpen={attempt === last} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

interface FactsProps {
  readonly delivery: DeliveryDetail;
  /** Undefined once it is deleted, and while it is not known. */
  readonly endpoint: Endpoint | undefined;
}

function Facts({ delivery, endpoint }: FactsProps) {
  const t = useText();
  return (
    <dl className="facts">
      <div>
        <dt>{t('delivery.event')}</dt>
        <dd>{t(`event.${delivery.event}`)}</dd>
      </div>
      <div>
        <dt>{t('delivery.accepted')}</dt>
        <dd>
          <Moment at={delivery.accepted_at} as="full" />
        </dd>
      </div>
      {delivery.completed_at !== null && (
        <div>
          <dt>{t('delivery.completed')}</dt>
          <dd>
            <Moment at={delivery.completed_at} as="full" />
          </dd>
        </div>
      )}
      <div>
        <dt>{t('delivery.submission')}</dt>
        <dd>
          <code>{delivery.submission_id}</code>
        </dd>
      </div>
      <div>
        <dt>{t('delivery.endpoint')}</dt>
        <dd>
          <Link
            to="/forms/$formId/endpoints/$endpointId"
            params={{ formId: delivery.form_id, endpointId: delivery.endpoint_id }}
          >
            {endpoint?.url ?? delivery.endpoint_id}
          </Link>
        </dd>
      </div>
      <div>
        <dt>{t('delivery.id')}</dt>
        <dd>
          <code>{delivery.delivery_id}</code>{' '}
          <CopyButton look="quiet" text={delivery.delivery_id} label={t('delivery.id.copy')} />
        </dd>
      </div>
    </dl>
  );
}
