import { useEffect, useMemo, useState } from 'react';
import { download } from '../../files/download.js';
import { canHash } from '../../shell/can-hash.js';
import { byteCount } from '../../text/moments.js';
import { useLanguage, useText } from '../../text/text.js';
import { Button } from '../button.js';
import { CopyButton } from '../copy-button.js';
import { hexDump, hexOf } from './hex.js';
import { isJson, prettyJson } from './pretty-json.js';
import { partsOf, visibleText } from '../visible-text.js';

/** What is shown of a long text until somebody asks for all of it, characters. */
const FIRST_SHOWN = 32_768;

interface BodyViewProps {
  readonly body: string;
  /** What it is of, where that is no text; `body` is what a reader makes of it then. */
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined;
  /** What it is, for names of buttons and of the file. */
  readonly name: string;
}

type Shape = 'pretty' | 'raw' | 'hex';

/** A body exactly as it was, as text alone: whatever is in it is shown and nothing of it acts. */
export function BodyView({ body, bytes, name }: BodyViewProps) {
  const t = useText();
  const isPretty = useMemo(() => isJson(body), [body]);
  const shapes: readonly Shape[] = [
    ...(bytes ? (['hex'] as const) : []),
    ...(isPretty ? (['pretty'] as const) : []),
    'raw',
  ];
  const [chosen, setChosen] = useState<Shape>();
  const shape = chosen !== undefined && shapes.includes(chosen) ? chosen : shapes[0]!;
  const shown = useMemo(() => inShape(shape, body, bytes), [shape, body, bytes]);
  const ending = bytes ? 'bin' : isPretty ? 'json' : 'txt';
  return (
    <div className="body-view">
      <div className="actions">
        {shapes.length > 1 && <Shapes shapes={shapes} shape={shape} choose={setChosen} />}
        <CopyButton text={shape === 'hex' ? shown : body} label={t('body.copy')} />
        <Button icon="down" onClick={() => download(bytes ?? body, `${name}.${ending}`)}>
          {t('body.download')}
        </Button>
      </div>
      <BodyFacts body={body} bytes={bytes} shape={shape} />
      <ShownText text={shown} name={name} />
    </div>
  );
}

function inShape(shape: Shape, body: string, bytes: Uint8Array | undefined): string {
  if (shape === 'hex') return hexDump(bytes!);
  return visibleText(shape === 'pretty' ? prettyJson(body) : body);
}

interface ShapesProps {
  readonly shapes: readonly Shape[];
  readonly shape: Shape;
  readonly choose: (shape: Shape) => void;
}

function Shapes({ shapes, shape, choose }: ShapesProps) {
  const t = useText();
  return (
    <div role="group" aria-label={t('body.view')} className="segments">
      {shapes.map((one) => (
        <Button key={one} aria-pressed={one === shape} onClick={() => choose(one)}>
          {t(`body.${one}`)}
        </Button>
      ))}
    </div>
  );
}

function ShownText({ text, name }: { readonly text: string; readonly name: string }) {
  const t = useText();
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && text.length > FIRST_SHOWN;
  const parts = useMemo(() => partsOf(isCut ? text.slice(0, FIRST_SHOWN) : text), [text, isCut]);
  return (
    <>
      <pre dir="ltr" tabIndex={0} role="region" aria-label={name}>
        {parts.map((part, index) => (
          <span key={index} className="part">
            {part}
          </span>
        ))}
      </pre>
      {isCut && (
        <Button onClick={() => setWhole(true)}>{t('body.whole', { characters: text.length - FIRST_SHOWN })}</Button>
      )}
    </>
  );
}

interface BodyFactsProps extends Pick<BodyViewProps, 'body' | 'bytes'> {
  readonly shape: Shape;
}

function BodyFacts({ body, bytes, shape }: BodyFactsProps) {
  const t = useText();
  const language = useLanguage();
  const exact = useMemo(() => bytes ?? new TextEncoder().encode(body), [body, bytes]);
  const hash = useHash(exact);
  return (
    <p className="hint facts">
      <span>{byteCount(exact.length, language)}</span>
      {canHash && (
        <span>
          SHA-256 <code>{hash ?? '…'}</code>
        </span>
      )}
      {shape === 'pretty' && <span>{t('body.formatted')}</span>}
      {bytes && <span>{t('body.no-text')}</span>}
    </p>
  );
}

function useHash(bytes: Uint8Array<ArrayBuffer>): string | undefined {
  const [hash, setHash] = useState<string>();
  useEffect(() => {
    if (!canHash) return;
    let wanted = true;
    void crypto.subtle.digest('SHA-256', bytes).then((digest) => {
      if (wanted) setHash(hexOf(new Uint8Array(digest)));
    });
    return () => {
      wanted = false;
    };
  }, [bytes]);
  return hash;
}
