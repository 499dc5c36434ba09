import { Link } from '@tanstack/react-router';
import type { Endpoint, Stats } from '../api/queries.js';
import { duration, percent } from '../text/moments.js';
import { useLanguage, useText } from '../text/text.js';
import { Mark } from '../ui/state-mark.js';
import { Moment } from '../ui/moment.js';
import { DayBars } from '../statistics/day-bars.js';

interface EndpointCardProps {
  readonly endpoint: Endpoint;
  /** Of the last day; undefined if nothing was delivered to it, or while it is not known. */
  readonly stats: Stats['endpoints'][number] | undefined;
  readonly range: Pick<Stats, 'from' | 'to'> | undefined;
}

export function EndpointCard({ endpoint, stats, range }: EndpointCardProps) {
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
        <OnOrOff endpoint={endpoint} />
      </div>
      {endpoint.description !== null && (
        <p className="description" dir="auto">
          {endpoint.description}
        </p>
      )}
      <div className="card-facts">
        <Facts endpoint={endpoint} stats={stats} />
        {range && <DayBars stats={stats} from={range.from} to={range.to} />}
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

function Facts({ endpoint, stats }: Pick<EndpointCardProps, 'endpoint' | 'stats'>) {
  const t = useText();
  const language = useLanguage();
  const rate = stats?.success_rate ?? null;
  const p95 = stats?.latency_ms.p95 ?? null;
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
