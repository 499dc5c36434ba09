import { useState } from 'react';
import { useText } from '../text/text.js';
import { announce } from './announcer.js';
import { Button } from './button.js';

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

/** Copies, and says whether it really did. */
export function CopyButton({ text, label, look = 'plain' }: CopyButtonProps) {
  const t = useText();
  const [outcome, setOutcome] = useState<'copied' | 'failed'>();
  const copy = async (): Promise<void> => {
    const done = await copied(text);
    setOutcome(done);
    announce(t(done === 'copied' ? 'copy.copied' : 'copy.failed'));
  };
  return (
    <Button
      look={look}
      icon={outcome === 'copied' ? 'check' : outcome === 'failed' ? 'warning' : 'copy'}
      onClick={() => void copy()}
      onBlur={() => setOutcome(undefined)}
    >
      {outcome === undefined ? label : t(outcome === 'copied' ? 'copy.copied' : 'copy.failed')}
    </Button>
  );
}
