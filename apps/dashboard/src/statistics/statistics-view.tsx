import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { endpointsQuery, statsQuery, type Stats } from '../api/queries.js';
import { COUNTED } from '../deliveries/delivery-filter.js';
import { PageTitle } from '../shell/page-title.js';
import { duration, percent, plainNumber } from '../text/moments.js';
import { useLanguage, useText } from '../text/text.js';
import { Button } from '../ui/button.js';
import { Empty, Loaded } from '../ui/loaded.js';
import { useHour } from '../ui/moment.js';
import { Lines, StackedBars } from './chart.js';
import { FailureChart } from './failure-chart.js';
import { stepsOf } from './series.js';
import { STEP_MS } from './step-starts.js';

const RANGES = { day: 24, week: 7 * 24, month: 30 * 24 } as const;
type Range = keyof typeof RANGES;

const HOUR_MS = 3_600_000;
const STATES = [
  ['delivered', 'good'],
  ['retrying', 'warning'],
  ['pending', 'busy'],
  ['cancelled', 'calm'],
  ['failed', 'bad'],
] as const;

/** How deliveries of the form went, over time and per endpoint. */
export function StatisticsView() {
  const t = useText();
  const navigate = useNavigate();
  const { formId } = useParams({ from: '/forms/$formId/statistics' });
  const search = useSearch({ from: '/forms/$formId/statistics' });
  const range: Range = search['range'] === 'week' || search['range'] === 'month' ? search['range'] : 'day';
  // To the hour, so that the same range stays the same question until the next begins.
  const from = new Date(useHour() - (RANGES[range] - 1) * HOUR_MS).toISOString();
  const stats = useQuery({
    ...statsQuery(formId, { from }),
    // What is there stays until the same range has moved on by an hour.
    placeholderData: (before) => (before !== undefined && isAbout(before, RANGES[range]) ? before : undefined),
  });
  return (
    <>
      <PageTitle
        title={t('statistics.title')}
        actions={
          <div role="group" aria-label={t('statistics.range')} className="segments">
            {(Object.keys(RANGES) as Range[]).map((one) => (
              <Button
                key={one}
                aria-pressed={one === range}
                onClick={() =>
                  void navigate({ to: '/forms/$formId/statistics', params: { formId }, search: { range: one } })
                }
              >
                {t(`statistics.${one}`)}
              </Button>
            ))}
          </div>
        }
      />
      <Loaded query={stats}>{(data) => <Charts formId={formId} stats={data} />}</Loaded>
    </>
  );
}

/** Whether statistics are of so many hours, but for those of the first step that lie before. */
const isAbout = ({ from, to }: Stats, hours: number): boolean =>
  Math.abs((Date.parse(to) - Date.parse(from)) / HOUR_MS - hours) < 8;

interface ChartsProps {
  readonly formId: string;
  readonly stats: Stats;
}

function Charts({ formId, stats }: ChartsProps) {
  const t = useText();
  const language = useLanguage();
  if (stats.endpoints.length === 0) {
    return (
      <Empty title={t('statistics.none')}>
        <p>{t('statistics.none.what')}</p>
      </Empty>
    );
  }
  const steps = stepsOf(
    stats,
    stats.endpoints.map(({ series }) => series),
  );
  const frame = { ats: steps.map(({ at }) => at), stepMs: STEP_MS[stats.step] };
  return (
    <>
      <StackedBars
        {...frame}
        title={t('statistics.states')}
        show={(value) => plainNumber(Math.round(value), language)}
        series={STATES.map(([state, tone]) => ({
          name: t(`state.${state}`),
          tone,
          values: steps.map(({ counts }) => counts[state]),
          search: { state },
        }))}
      />
      <FailureChart {...frame} steps={steps} />
      <Lines
        {...frame}
        title={t('statistics.latency')}
        show={(value) => duration(value, language)}
        series={[
          { name: t('statistics.p50'), tone: 'busy', values: steps.map(({ p50 }) => p50) },
          { name: t('statistics.p95'), tone: 'warning', values: steps.map(({ p95 }) => p95) },
        ]}
      />
      <PerEndpoint formId={formId} stats={stats} />
    </>
  );
}

function PerEndpoint({ formId, stats }: ChartsProps) {
  const t = useText();
  const language = useLanguage();
  const endpoints = useQuery(endpointsQuery(formId)).data;
  const latency = (ms: number | null): string => (ms === null ? '–' : duration(ms, language));
  return (
    // The table's region alone has the name: two landmarks of the same one would not be told apart.
    <section className="chart">
      <h2 id="per-endpoint">{t('statistics.endpoints')}</h2>
      <div className="scroll" tabIndex={0} role="region" aria-labelledby="per-endpoint">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('delivery.endpoint')}</th>
              {(
                [
                  'state.delivered',
                  'state.failed',
                  'statistics.success',
                  'statistics.attempts',
                  'statistics.p50',
                  'statistics.p95',
                ] as const
              ).map((id) => (
                <th key={id} scope="col" className="number">
                  {t(id)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {stats.endpoints.map(
              ({ endpoint_id: id, counts, success_rate: rate, attempts, latency_ms: { p50, p95 } }) => (
                <tr key={id}>
                  <th scope="row" className="url">
                    <Link
                      to="/forms/$formId/deliveries"
                      params={{ formId }}
                      search={{ ...COUNTED, endpoint_id: id, from: stats.from, to: stats.to }}
                    >
                      {endpoints?.find((one) => one.id === id)?.url ?? id}
                    </Link>
                  </th>
                  <td className="number">{plainNumber(counts.delivered, language)}</td>
                  <td className="number">
                    {counts.failed === 0 ? (
                      0
                    ) : (
                      <Link
                        to="/forms/$formId/deliveries"
                        params={{ formId }}
                        search={{ ...COUNTED, endpoint_id: id, state: 'failed', from: stats.from, to: stats.to }}
                      >
                        {plainNumber(counts.failed, language)}
                      </Link>
                    )}
                  </td>
                  <td className="number">{rate === null ? '–' : percent(rate, language)}</td>
                  <td className="number">{plainNumber(attempts, language)}</td>
                  <td className="number">{latency(p50)}</td>
                  <td className="number">{latency(p95)}</td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
    </section>
  );
}
