import type { Stats } from '../api/queries.js';
import { plainNumber } from '../text/moments.js';
import { useLanguage, useText } from '../text/text.js';
import { stepsOf, totalOf } from './series.js';
import type { StepRange } from './step-starts.js';

interface DayBarsProps {
  readonly stats: Stats['endpoints'][number] | undefined;
  readonly range: StepRange;
}

const [WIDTH, HEIGHT, GAP] = [240, 36, 2];

/** The last day in small bars: what was delivered and what failed, hour by hour. */
export function DayBars({ stats, range }: DayBarsProps) {
  const t = useText();
  const language = useLanguage();
  const steps = stepsOf(range, stats ? [stats.series] : []);
  const total = totalOf(steps);
  const most = Math.max(1, ...steps.map(({ counts }) => counts.delivered + counts.failed));
  const width = WIDTH / Math.max(1, steps.length);
  const words = t('chart.day', {
    delivered: plainNumber(total.delivered, language),
    failed: plainNumber(total.failed, language),
  });
  return (
    <figure className="day-bars">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words} preserveAspectRatio="none">
        {steps.map(({ at, counts }, index) => {
          const [good, bad] = [(counts.delivered / most) * HEIGHT, (counts.failed / most) * HEIGHT];
          return (
            <g key={at}>
              <rect className="none" x={index * width} y={HEIGHT - 1} width={width - GAP} height={1} />
              <rect className="good" x={index * width} y={HEIGHT - good} width={width - GAP} height={good} />
              <rect className="bad" x={index * width} y={HEIGHT - good - bad} width={width - GAP} height={bad} />
            </g>
          );
        })}
      </svg>
      <figcaption>{words}</figcaption>
    </figure>
  );
}
