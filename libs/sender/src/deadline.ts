/**
 * Calls `expire` once `ms` have passed and everything that arrived by then has been read. In a process that is late,
 * timers come due before the sockets are read: an answered request would count as timed out, and be sent again.
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
