import { useText } from '../text/text.js';
import { visibleText } from '../ui/visible-text.js';

/** Headers of a request or of an answer, folded until somebody asks for them. */
export function HeaderList({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  const t = useText();
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <details className="headers">
      <summary>{t('attempt.headers', { count: entries.length })}</summary>
      <dl dir="ltr">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{visibleText(name)}</dt>
            <dd>{visibleText(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
