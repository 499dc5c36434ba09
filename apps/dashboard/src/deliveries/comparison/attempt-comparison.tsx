import { useMemo, useState } from 'react';
import type { Attempt } from '../../api/queries.js';
import { shortMoment } from '../../text/moments.js';
import { useLanguage, useText } from '../../text/text.js';
import { Field } from '../../ui/field.js';
import { useDay } from '../../ui/moment.js';
import { visibleText } from '../../ui/visible-text.js';
import { compareAttempts, type DifferentFact } from './compare-attempts.js';
import type { DifferenceLine } from './line-difference.js';

/** Two attempts of a delivery side by side: what was sent or came back otherwise. There are at least two. */
export function AttemptComparison({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const t = useText();
  const [chosen, setChosen] = useState<readonly [string | undefined, string | undefined]>([undefined, undefined]);
  const first = attempts.find(({ id }) => id === chosen[0]) ?? attempts.at(-2)!;
  const second = attempts.find(({ id }) => id === chosen[1]) ?? attempts.at(-1)!;
  return (
    <details className="snippets">
      <summary>{t('attempt.compare')}</summary>
      <div className="inline-form">
        <AttemptChoice attempts={attempts} chosen={first} onChange={(id) => setChosen([id, second.id])} />
        <AttemptChoice attempts={attempts} chosen={second} onChange={(id) => setChosen([first.id, id])} />
      </div>
      <Difference first={first} second={second} />
    </details>
  );
}

interface AttemptChoiceProps {
  readonly attempts: readonly Attempt[];
  readonly chosen: Attempt;
  readonly onChange: (id: string) => void;
}

function AttemptChoice({ attempts, chosen, onChange }: AttemptChoiceProps) {
  const t = useText();
  const language = useLanguage();
  const day = useDay();
  return (
    <Field label={t('attempt.compare.which')}>
      {(control) => (
        <select {...control} value={chosen.id} onChange={(event) => onChange(event.target.value)}>
          {attempts.map(({ id, number, started_at: at }) => (
            <option key={id} value={id}>
              {t('attempt.n', { n: number })}, {shortMoment(at, language, day)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function Difference({ first, second }: { readonly first: Attempt; readonly second: Attempt }) {
  const t = useText();
  const { facts, body, answer, isPartial } = useMemo(() => compareAttempts(first, second), [first, second]);
  const isSame = facts.length + body.length + answer.length === 0;
  if (isSame && !isPartial) return <p>{t('attempt.compare.same')}</p>;
  return (
    <>
      {isPartial && <p className="hint">{t('attempt.compare.partial')}</p>}
      {isSame && <p>{t('attempt.compare.same-else')}</p>}
      {facts.length > 0 && <Facts facts={facts} numbers={[first.number, second.number]} />}
      <Lines title={t('attempt.compare.body')} lines={body} />
      <Lines title={t('attempt.compare.answer')} lines={answer} />
    </>
  );
}

interface FactsProps {
  readonly facts: readonly DifferentFact[];
  readonly numbers: readonly [number, number];
}

function Facts({ facts, numbers }: FactsProps) {
  const t = useText();
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={t('attempt.compare')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('attempt.compare.what')}</th>
            {numbers.map((n, index) => (
              <th key={index} scope="col">
                {t('attempt.n', { n })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {facts.map(({ label, name, values }) => (
            <tr key={`${label} ${name}`}>
              <th scope="row">
                {t(label)} {name !== '' && <code>{visibleText(name)}</code>}
              </th>
              {values.map((value, index) => (
                <td key={index}>{value === null ? '–' : <code>{visibleText(value)}</code>}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const MARKS = { same: ' ', gone: '-', new: '+', 'left-out': '' } as const;

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly DifferenceLine[] }) {
  if (lines.length === 0) return null;
  return (
    <section>
      <h4>{title}</h4>
      <pre dir="ltr" tabIndex={0} role="region" aria-label={title} className="difference">
        {lines.map(({ kind, text }, index) => (
          <span key={index} className={kind}>{`${MARKS[kind]} ${visibleText(text)}\n`}</span>
        ))}
      </pre>
    </section>
  );
}
