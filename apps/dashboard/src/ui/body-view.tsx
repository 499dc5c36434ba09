import { useEffect, useMemo, useState } from 'react';
import { download } from '../files/download.js';
import { canHash } from '../shell/can-hash.js';
import { byteCount } from '../text/moments.js';
import { useLanguage, useText } from '../text/text.js';
import { Button } from './button.js';
import { CopyButton } from './copy-button.js';
import { isJson, prettyJson } from './pretty-json.js';
import { partsOf, visibleText } from './visible-text.js';

/** What is shown of a long text until somebody asks for all of it, characters. */
const FIRST_SHOWN = 32_768;

interface BodyViewProps {
  readonly body: string;
  /** What it is, for names of buttons and of the file. */
  readonly name: string;
}

/** A body exactly as it was, as text alone: whatever is in it is shown and nothing of it acts. */
export function BodyView({ body, name }: BodyViewProps) {
  const t = useText();
  const [isRaw, setRaw] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const mayBePretty = useMemo(() => isJson(body), [body]);
  const shown = useMemo(() => visibleText(mayBePretty && !isRaw ? prettyJson(body) : body), [body, isRaw, mayBePretty]);
  const isCut = !isWhole && shown.length > FIRST_SHOWN;
  const parts = useMemo(() => partsOf(isCut ? shown.slice(0, FIRST_SHOWN) : shown), [shown, isCut]);
  return (
    <div className="body-view">
      <div className="actions">
        {mayBePretty && (
          <div role="group" aria-label={t('body.view')} className="segments">
            <Button aria-pressed={!isRaw} onClick={() => setRaw(false)}>
              {t('body.pretty')}
            </Button>
            <Button aria-pressed={isRaw} onClick={() => setRaw(true)}>
              {t('body.raw')}
            </Button>
          </div>
        )}
        <CopyButton text={body} label={t('body.copy')} />
        <Button icon="down" onClick={() => download(body, `${name}.${mayBePretty ? 'json' : 'txt'}`)}>
          {t('body.download')}
        </Button>
      </div>
      <BodyFacts body={body} isFormatted={mayBePretty && !isRaw} />
      <pre dir="ltr" tabIndex={0} role="region" aria-label={name}>
        {parts.map((part, index) => (
          <span key={index} className="part">
            {part}
          </span>
        ))}
      </pre>
      {isCut && (
        <Button onClick={() => setWhole(true)}>{t('body.whole', { characters: shown.length - FIRST_SHOWN })}</Button>
      )}
    </div>
  );
}

function BodyFacts({ body, isFormatted }: { readonly body: string; readonly isFormatted: boolean }) {
  const t = useText();
  const language = useLanguage();
  const bytes = useMemo(() => new TextEncoder().encode(body), [body]);
  const hash = useHash(bytes);
  return (
    <p className="hint facts">
      <span>{byteCount(bytes.length, language)}</span>
      {canHash && (
        <span>
          SHA-256 <code>{hash ?? '…'}</code>
        </span>
      )}
      {isFormatted && <span>{t('body.formatted')}</span>}
    </p>
  );
}

function useHash(bytes: Uint8Array<ArrayBuffer>): string | undefined {
  const [hash, setHash] = useState<string>();
  useEffect(() => {
    if (!canHash) return;
    let wanted = true;
    void crypto.subtle.digest('SHA-256', bytes).then((digest) => {
      if (wanted) setHash(hexOf(digest));
    });
    return () => {
      wanted = false;
    };
  }, [bytes]);
  return hash;
}

const hexOf = (buffer: ArrayBuffer): string =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
