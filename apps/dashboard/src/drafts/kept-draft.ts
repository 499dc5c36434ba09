import { useState } from 'react';

/** Drafts that are kept at most; the one that was begun first goes. */
const MAX_KEPT = 50;

const kept = new Map<string, unknown>();

/** Keeps a draft in the page's memory alone, or forgets it. */
export function keepDraft(name: string, draft: unknown): void {
  kept.delete(name);
  if (draft === undefined) return;
  kept.set(name, draft);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
}

export const keptDraft = (name: string): unknown => kept.get(name);

/**
 * What somebody has begun to type, which outlives the view it is typed in: who goes to another view and comes back finds
 * it, and nothing that takes the view out of the page for a moment loses it.
 */
export function useKeptDraft<T>(name: string): [draft: T | undefined, keep: (draft: T | undefined) => void] {
  const [draft, setDraft] = useState(() => keptDraft(name) as T | undefined);
  const keep = (changed: T | undefined): void => {
    keepDraft(name, changed);
    setDraft(changed);
  };
  return [draft, keep];
}
