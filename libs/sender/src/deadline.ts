/**
 * Calls `expire` once `ms` have passed and what arrived by then is heard. A process that is late finds its timers due
 * before it has read what came in time: an answered request would count as timed out, and be sent again.
 * @returns cancels it
 */
export function startDeadline(ms: number, expire: () => void): () => void {
  let turn: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => (turn = setImmediate(expire)), ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(turn);
  };
}
