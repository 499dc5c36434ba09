import { useSyncExternalStore } from 'react';

let said = '';
const listeners = new Set<() => void>();

/** Says a sentence to who listens to the page instead of looking at it; politely, after what is being said. */
export function announce(sentence: string): void {
  // The same sentence twice is no change, and would be said once.
  said = sentence === said ? `${sentence}\u00a0` : sentence;
  for (const tell of listeners) tell();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Stands once in the page. */
export function Announcer() {
  const sentence = useSyncExternalStore(subscribe, () => said);
  return (
    <div className="unseen" role="status" aria-live="polite">
      {sentence}
    </div>
  );
}
