import { useBlocker } from '@tanstack/react-router';

const always = (): boolean => true;

/**
 * Keeps the view while something is shown this once, or is about to be: Back would take it away unseen, and before the
 * page is left the browser asks. Who is done goes on with `ignoreBlocker`.
 */
export function useStayHere(isHeld: boolean): void {
  useBlocker({ shouldBlockFn: always, disabled: !isHeld, withResolver: false });
}
