import { plainNumber } from '../text/moments.js';
import { useLanguage, useText } from '../text/text.js';
import { StackedBars } from './chart.js';
import { failureSeries } from './failure-kinds.js';
import type { Step } from './series.js';

interface FailureChartProps {
  readonly steps: readonly Step[];
  readonly ats: readonly string[];
  readonly stepMs: number;
}

/**
 * Why attempts failed, over time; nothing is shown where none has. It opens nothing: it counts attempts by when they
 * were made, and the log finds deliveries by when they were accepted and by their last attempt.
 */
export function FailureChart({ steps, ats, stepMs }: FailureChartProps) {
  const t = useText();
  const language = useLanguage();
  const series = failureSeries(steps);
  if (series.length === 0) return null;
  return (
    <StackedBars
      ats={ats}
      stepMs={stepMs}
      title={t('statistics.failures')}
      show={(value) => plainNumber(Math.round(value), language)}
      series={series.map(({ kind, tone, values }) => ({ name: t(kind), tone, values }))}
    />
  );
}
