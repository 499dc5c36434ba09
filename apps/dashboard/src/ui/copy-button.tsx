import { useEffect, useRef, useState } from 'react';
import { useText } from '../text/text.js';
import { announce } from './announcer.js';
import { Button } from './button.js';

/**
 * Its words are of another length then, and move what stands beside it: not under a press that has just begun there, or
 * that press is lost, ms.
 */
const FORGOTTEN_AFTER_MS = 500;

/** Over plain HTTP browsers give pages no clipboard. */
async function copied(text: string): Promise<'copied' | 'failed'> {
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    return 'failed';
  }
}

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for who doesn't see where the button stands: "Copy secret". */
  readonly label: string;
  readonly look?: 'plain' | 'main' | 'quiet';
}

/** Copies, and says whether it really did; what it could not copy stands below it, selected. */
export function CopyButton({ text, label, look = 'plain' }: CopyButtonProps) {
  const t = useText();
  const [outcome, setOutcome] = useState<'copied' | 'failed'>();
  const copy = async (): Promise<void> => {
    // What was left of a failure is selected anew.
    setOutcome(undefined);
    const done = await copied(text);
    setOutcome(done);
    announce(t(done === 'copied' ? 'copy.copied' : 'copy.failed'));
  };
  const forget = (): void => setOutcome((kept) => (kept === 'failed' ? kept : undefined));
  return (
    <>
      <Button
        look={look}
        icon={outcome === 'copied' ? 'check' : outcome === 'failed' ? 'warning' : 'copy'}
        onClick={() => void copy()}
        // The focus goes from here to the text that is to be copied by hand, which stays.
        onBlur={() => setTimeout(forget, FORGOTTEN_AFTER_MS)}
      >
        {outcome === undefined ? label : t(outcome === 'copied' ? 'copy.copied' : 'copy.failed')}
      </Button>
      {outcome === 'failed' && <ByHand text={text} label={t('copy.by-hand', { label })} />}
    </>
  );
}

/** Rows that are seen of a long text; the rest is scrolled to. */
const MAX_ROWS = 8;

/** The very text, since it is to be copied: unlike elsewhere nothing in it is made visible. */
function ByHand({ text, label }: Pick<CopyButtonProps, 'text' | 'label'>) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    area.current?.focus();
    area.current?.select();
  }, []);
  return (
    <textarea
      ref={area}
      className="by-hand"
      readOnly
      spellCheck={false}
      dir="ltr"
      rows={Math.min(text.split('\n', MAX_ROWS).length, MAX_ROWS)}
      aria-label={label}
      value={text}
    />
  );
}
