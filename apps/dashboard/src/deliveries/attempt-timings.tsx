import type { Attempt } from '../api/queries.js';
import { duration } from '../text/moments.js';
import { useLanguage, useText, type TextId } from '../text/text.js';

/** The parts of an attempt in their order, each with the colour of its piece. */
const PARTS = [
  ['dns_ms', 'timing.dns', 'busy'],
  ['connect_ms', 'timing.connect', 'violet'],
  ['tls_ms', 'timing.tls', 'warning'],
  ['first_byte_ms', 'timing.first-byte', 'good'],
] as const satisfies readonly (readonly [keyof NonNullable<Attempt['timings']>, TextId, string])[];

/** What the parts of an attempt took, as a bar and in words; what there was not is left out. */
export function AttemptTimings({ attempt }: { readonly attempt: Attempt }) {
  const t = useText();
  const language = useLanguage();
  const { timings, duration_ms: total } = attempt;
  if (timings === null) return null;
  const parts = PARTS.flatMap(([member, id, tone]) => {
    const ms = timings[member];
    return ms === null ? [] : [{ id, tone, ms }];
  });
  const isReused = timings.tls_ms === null && timings.first_byte_ms !== null;
  return (
    <section role="group" aria-label={t('timing.title')}>
      <h4>{t('timing.title')}</h4>
      <TimingBar parts={parts} total={total} />
      <dl className="timings">
        {parts.map(({ id, tone, ms }) => (
          <div key={id} className={tone}>
            <dt>{t(id)}</dt>
            <dd>{duration(ms, language)}</dd>
          </div>
        ))}
        <div>
          <dt>{t('timing.total')}</dt>
          <dd>{duration(total, language)}</dd>
        </div>
      </dl>
      {isReused && <p className="hint">{t('timing.reused')}</p>}
    </section>
  );
}

interface TimingBarProps {
  readonly parts: readonly { readonly id: TextId; readonly tone: string; readonly ms: number }[];
  readonly total: number;
}

/** The same to look at; what is left after the first byte is the rest of the answer. */
function TimingBar({ parts, total }: TimingBarProps) {
  const width = Math.max(
    1,
    total,
    parts.reduce((sum, { ms }) => sum + ms, 0),
  );
  let at = 0;
  return (
    <svg className="timing-bar" viewBox={`0 0 ${width} 1`} preserveAspectRatio="none" aria-hidden="true">
      <rect className="none" width={width} height={1} />
      {parts.map(({ id, tone, ms }) => {
        const x = at;
        at += ms;
        return <rect key={id} className={tone} x={x} width={ms} height={1} />;
      })}
    </svg>
  );
}
