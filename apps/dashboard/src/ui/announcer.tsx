import { useState, useSyncExternalStore } from 'react';

/** By then a dialog that closes with what is announced is gone, and with it what it keeps from being heard, ms. */
const AFTER_MS = 100;

interface Said {
  readonly sentence: string;
  /** How many were said until then. */
  readonly count: number;
}

let said: Said = { sentence: '', count: 0 };
const listeners = new Set<() => void>();

/** Says a sentence to who listens to the page instead of looking at it; politely, after what is being said. */
export function announce(sentence: string): void {
  setTimeout(() => {
    // The same sentence twice is no change, and would be said once.
    said = { sentence: sentence === said.sentence ? `${sentence}\u00a0` : sentence, count: said.count + 1 };
    for (const tell of listeners) tell();
  }, AFTER_MS);
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Stands once in the page and once in each open dialog, beside which nothing else of the page is heard. It begins
 * silent: what was said before it was there is not said again.
 */
export function Announcer() {
  const { sentence, count } = useSyncExternalStore(subscribe, () => said);
  const [before] = useState(count);
  return (
    <div className="unseen" role="status" aria-live="polite">
      {count > before && sentence}
    </div>
  );
}
