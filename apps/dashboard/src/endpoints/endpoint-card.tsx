import { Link } from '@tanstack/react-router';
import type { Endpoint, Health, Stats } from '../api/queries.js';
import { duration, percent, plainNumber } from '../text/moments.js';
import { TextAround } from '../text/text-around.js';
import { useLanguage, useText } from '../text/text.js';
import { Mark } from '../ui/state-mark.js';
import { Moment } from '../ui/moment.js';
import { DayBars } from '../statistics/day-bars.js';
import type { StepRange } from '../statistics/step-starts.js';

interface EndpointCardProps {
  readonly endpoint: Endpoint;
  /** Of the last day; undefined if nothing was delivered to it, or while it is not known. */
  readonly stats: Stats['endpoints'][number] | undefined;
  readonly health: Health | undefined;
  readonly range: StepRange | undefined;
}

export function EndpointCard({ endpoint, stats, health, range }: EndpointCardProps) {
  const t = useText();
  const params = { formId: endpoint.form_id, endpointId: endpoint.id };
  return (
    <article className="card">
      <div className="card-head">
        <h2>
          <Link to="/forms/$formId/endpoints/$endpointId" params={params} className="url">
            {endpoint.url}
          </Link>
        </h2>
        <span className="row">
          {endpoint.enabled && health && <HealthMark health={health} />}
          <OnOrOff endpoint={endpoint} />
        </span>
      </div>
      {endpoint.description !== null && (
        <p className="description" dir="auto">
          {endpoint.description}
        </p>
      )}
      <div className="card-facts">
        <Facts endpoint={endpoint} health={health} />
        {range && <DayBars stats={stats} range={range} />}
      </div>
      <footer className="actions">
        <Link className="button" to="/forms/$formId/endpoints/$endpointId" params={params}>
          {t('endpoint.open')}
        </Link>
        <Link
          className="button"
          to="/forms/$formId/deliveries"
          params={{ formId: endpoint.form_id }}
          search={{ endpoint_id: endpoint.id }}
        >
          {t('endpoint.deliveries')}
        </Link>
      </footer>
    </article>
  );
}

export function OnOrOff({ endpoint }: { readonly endpoint: Pick<Endpoint, 'enabled' | 'disabled_reason'> }) {
  const t = useText();
  if (endpoint.enabled) {
    return (
      <Mark tone="good" icon="check">
        {t('endpoint.on')}
      </Mark>
    );
  }
  const isGone = endpoint.disabled_reason === 'gone';
  return (
    <Mark tone={isGone ? 'bad' : 'calm'} icon={isGone ? 'warning' : 'pause'}>
      {t(isGone ? 'endpoint.off.gone' : 'endpoint.off')}
    </Mark>
  );
}

/** How it does, in a few words. */
export function HealthMark({ health }: { readonly health: Health }) {
  const t = useText();
  if (health.failing_since !== null) {
    return (
      <Mark tone="bad" icon="warning">
        <TextAround id="endpoint.health.failing" name="since" values={{ count: health.consecutive_failures }}>
          <Moment at={health.failing_since} />
        </TextAround>
      </Mark>
    );
  }
  if (health.last_outcome !== 'delivered') return null;
  return (
    <Mark tone="good" icon="check">
      {t('endpoint.health.good')}
    </Mark>
  );
}

function Facts({ endpoint, health }: Pick<EndpointCardProps, 'endpoint' | 'health'>) {
  const t = useText();
  const language = useLanguage();
  const rate = health?.success_rate ?? null;
  const p95 = health?.latency_ms.p95 ?? null;
  return (
    <dl className="facts">
      <div>
        <dt>{t('endpoint.last')}</dt>
        <dd>
          {endpoint.last_delivery_at === null ? (
            t('endpoint.last.none')
          ) : (
            <Moment at={endpoint.last_delivery_at} as="relative" />
          )}
        </dd>
      </div>
      {health !== undefined && health.waiting > 0 && (
        <div>
          <dt>{t('endpoint.health.waiting')}</dt>
          <dd>{plainNumber(health.waiting, language)}</dd>
        </div>
      )}
      {health !== undefined && health.next_attempt_at !== null && (
        <div>
          <dt>{t('endpoint.health.next')}</dt>
          <dd>
            <Moment at={health.next_attempt_at} />
          </dd>
        </div>
      )}
      <div>
        <dt>{t('endpoint.success')}</dt>
        <dd>{rate === null ? '–' : percent(rate, language)}</dd>
      </div>
      <div>
        <dt>{t('endpoint.latency')}</dt>
        <dd>{p95 === null ? '–' : duration(p95, language)}</dd>
      </div>
      <div>
        <dt>{t('endpoint.events')}</dt>
        <dd>{endpoint.events.map((event) => t(`event.${event}`)).join(', ')}</dd>
      </div>
    </dl>
  );
}
