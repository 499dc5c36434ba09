import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { COUNTED, type DeliverySearch } from '../deliveries/delivery-filter.js';
import { pointMoment } from '../text/moments.js';
import { useLanguage, useText } from '../text/text.js';
import { niceMax } from './series.js';

/** One thing that a chart shows over time. */
export interface ChartSeries {
  readonly name: string;
  /** The class that gives it its colour. */
  readonly tone: string;
  /** Null where there is nothing to show. */
  readonly values: readonly (number | null)[];
  /** What the log shows of it beside its time; undefined if the log can't show what is counted here. */
  readonly search?: DeliverySearch;
}

export interface ChartProps {
  readonly title: string;
  readonly ats: readonly string[];
  readonly stepMs: number;
  readonly series: readonly ChartSeries[];
  /** A value as people read it. */
  readonly show: (value: number) => string;
}

export const [WIDTH, HEIGHT, LEFT, BOTTOM] = [1200, 220, 64, 24];
/** Room for the upper half of the topmost label. */
const ABOVE = 8;
const TICKS = [0, 0.5, 1] as const;
/** Labels below that find room beside each other. */
const MAX_LABELS = 7;

interface FrameProps extends ChartProps {
  readonly max: number;
  /** What can be done with it. */
  readonly hint?: string;
  readonly children: ReactNode;
}

export const xOf = (index: number, count: number): number => LEFT + ((WIDTH - LEFT) * index) / Math.max(1, count);
export const yOf = (value: number, max: number): number => (HEIGHT - BOTTOM) * (1 - value / max) + 4;

/**
 * A step of a chart as the log's filter has it: it ends where the next begins, also when clocks are changed in it, and
 * the log then shows as many as were counted.
 */
export const stepSearch = ({ ats, stepMs }: Pick<ChartProps, 'ats' | 'stepMs'>, index: number): DeliverySearch => ({
  ...COUNTED,
  from: ats[index]!,
  to: ats[index + 1] ?? new Date(Date.parse(ats[index]!) + stepMs).toISOString(),
});

/** Whether the log can show what a chart counts: deliveries by when they were accepted. */
const opensLog = (series: readonly ChartSeries[]): boolean => series.some(({ search }) => search !== undefined);

/** Axes, legend, and the same numbers as a table for who reads rather than looks. */
export function ChartFrame({ title, ats, stepMs, series, show, max, hint, children }: FrameProps) {
  const language = useLanguage();
  const every = Math.max(1, Math.ceil(ats.length / MAX_LABELS));
  return (
    <figure className="chart">
      <figcaption>
        <h2>{title}</h2>
        <ul className="legend">
          {series.map(({ name, tone }) => (
            <li key={name} className={tone}>
              {name}
            </li>
          ))}
        </ul>
      </figcaption>
      <div className="drawing" tabIndex={0} role="group" aria-label={title}>
        <svg viewBox={`0 -${ABOVE} ${WIDTH} ${HEIGHT + 4 + ABOVE}`} aria-hidden="true">
          {TICKS.map((tick) => (
            <g key={tick}>
              <line className="grid" x1={LEFT} x2={WIDTH} y1={yOf(tick * max, max)} y2={yOf(tick * max, max)} />
              <text x={LEFT - 8} y={yOf(tick * max, max) + 4} textAnchor="end">
                {show(tick * max)}
              </text>
            </g>
          ))}
          {ats.map(
            (at, index) =>
              index % every === 0 && (
                <text key={at} x={xOf(index, ats.length)} y={HEIGHT}>
                  {pointMoment(at, stepMs, language)}
                </text>
              ),
          )}
          {children}
        </svg>
      </div>
      {hint !== undefined && <p className="hint">{hint}</p>}
      <ChartTable title={title} ats={ats} stepMs={stepMs} series={series} show={show} />
    </figure>
  );
}

function ChartTable({ title, ats, stepMs, series, show }: ChartProps) {
  const t = useText();
  const language = useLanguage();
  const { formId = '' } = useParams({ strict: false });
  const log = { to: '/forms/$formId/deliveries', params: { formId } } as const;
  const rows = ats.map((at, index) => ({
    at,
    step: stepSearch({ ats, stepMs }, index),
    values: series.map(({ values }) => values[index] ?? null),
  }));
  const opens = opensLog(series);
  const filled = rows.filter(({ values }) => values.some((value) => value !== null && value !== 0));
  return (
    <details>
      <summary>{t('chart.table')}</summary>
      <div className="scroll" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('chart.time')}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col" className="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {filled.map(({ at, step, values }) => (
              <tr key={at}>
                <th scope="row">
                  {opens ? (
                    <Link {...log} search={step}>
                      {pointMoment(at, stepMs, language)}
                    </Link>
                  ) : (
                    pointMoment(at, stepMs, language)
                  )}
                </th>
                {values.map((value, index) => {
                  const { name, search } = series[index]!;
                  const shown = value === null ? '–' : show(value);
                  return (
                    <td key={name} className="number">
                      {search === undefined || value === null || value === 0 ? (
                        shown
                      ) : (
                        <Link {...log} search={{ ...search, ...step }}>
                          {shown}
                        </Link>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/**
 * Amounts on top of each other, step by step; one that the log can show opens it when it is pressed. The table beside
 * has the same as links, for who uses no mouse.
 */
export function StackedBars(props: ChartProps) {
  const { ats, series } = props;
  const t = useText();
  const openLog = useOpenLog();
  const sums = ats.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const top = niceMax(Math.max(0, ...sums));
  // Half of it is labelled too, and is a number of deliveries or attempts.
  const max = top % 2 === 0 ? top : top + 1;
  const width = (WIDTH - LEFT) / Math.max(1, ats.length);
  return (
    <ChartFrame {...props} max={max} {...(opensLog(series) && { hint: t('chart.opens') })}>
      {ats.map((at, index) => {
        let below = 0;
        return series.map(({ name, tone, values, search }) => {
          const value = values[index] ?? 0;
          const y = yOf(below + value, max);
          const height = yOf(below, max) - y;
          below += value;
          return (
            <rect
              key={`${at} ${name}`}
              className={search ? `${tone} opens` : tone}
              x={xOf(index, ats.length)}
              y={y}
              width={Math.max(1, width - 2)}
              height={height}
              {...(search && { onClick: () => openLog({ ...search, ...stepSearch(props, index) }) })}
            />
          );
        });
      })}
    </ChartFrame>
  );
}

function useOpenLog(): (search: DeliverySearch) => void {
  const navigate = useNavigate();
  const { formId = '' } = useParams({ strict: false });
  return (search) => void navigate({ to: '/forms/$formId/deliveries', params: { formId }, search });
}

/** Values beside each other over time; a line breaks where there is none. */
export function Lines(props: ChartProps) {
  const { ats, series } = props;
  const max = niceMax(Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const half = (WIDTH - LEFT) / Math.max(1, ats.length) / 2;
  return (
    <ChartFrame {...props} max={max}>
      {series.map(({ name, tone, values }) => (
        <g key={name} className={tone}>
          <path
            className="line"
            d={pathOf(values, (value, index) => [xOf(index, ats.length) + half, yOf(value, max)])}
          />
          {values.map(
            (value, index) =>
              value !== null && (
                <circle key={ats[index]} cx={xOf(index, ats.length) + half} cy={yOf(value, max)} r={2.5} />
              ),
          )}
        </g>
      ))}
    </ChartFrame>
  );
}

function pathOf(
  values: readonly (number | null)[],
  place: (value: number, index: number) => readonly [number, number],
): string {
  return values
    .map((value, index) => {
      if (value === null) return '';
      const [x, y] = place(value, index);
      return `${index > 0 && (values[index - 1] ?? null) !== null ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
}
