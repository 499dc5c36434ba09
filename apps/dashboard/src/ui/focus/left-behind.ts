import { useEffect } from 'react';

/** The parts of a page that have a name, and what they stand in. */
const PARTS = 'dialog[open], fieldset, section:is([aria-label], [aria-labelledby]), aside, [role="region"], main';

/** Within it whoever wants the focus elsewhere has taken it, ms. */
const AFTER_MS = 50;

interface Around {
  readonly isConnected: boolean;
  readonly matches: (selector: string) => boolean;
}

/** The nearest part that is left of those around what has vanished, itself first. */
export const partLeft = <E extends Around>(around: readonly E[]): E | undefined =>
  around.find((one) => one.isConnected && one.matches(PARTS));

/**
 * What vanishes with the focus on it, as a button does by its own success, leaves the focus to the part of the page that
 * it stood in. The browser would leave it to the page's start, far from what is being done, and without a word.
 */
export function useFocusLeftBehind(): void {
  useEffect(() => keepFocus(), []);
}

function keepFocus(): () => void {
  let around: readonly HTMLElement[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const remember = ({ target }: FocusEvent): void => {
    around = ancestorsOf(target as HTMLElement);
  };
  // Who leaves it herself, by a click beside it, is not called back.
  const forget = ({ target }: FocusEvent): void =>
    queueMicrotask(() => {
      const isLeft = around[0] === target && around[0]?.isConnected && document.activeElement !== target;
      if (isLeft) around = [];
    });
  const observer = new MutationObserver(() => {
    if (around[0]?.isConnected === false) timer ??= setTimeout(inherit, AFTER_MS);
  });
  const inherit = (): void => {
    timer = undefined;
    if (around[0]?.isConnected === false && document.activeElement === document.body) focusOn(around);
  };
  document.addEventListener('focusin', remember);
  document.addEventListener('focusout', forget);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', remember);
    document.removeEventListener('focusout', forget);
    observer.disconnect();
    clearTimeout(timer);
  };
}

function ancestorsOf(element: HTMLElement): HTMLElement[] {
  const all = [element];
  for (let one = element.parentElement; one !== null; one = one.parentElement) all.push(one);
  return all;
}

function focusOn(around: readonly HTMLElement[]): void {
  const part = partLeft(around) ?? document.querySelector('main');
  if (part === null) return;
  if (!part.hasAttribute('tabindex')) part.tabIndex = -1;
  part.focus({ preventScroll: true });
}
