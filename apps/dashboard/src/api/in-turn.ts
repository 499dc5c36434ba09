/** Asks when it is wanted, but one question after another. */
export interface InTurn {
  readonly want: () => void;
  /** Nothing is asked any more. */
  readonly stop: () => void;
}

/**
 * However often it is wanted while a question is under way or within the rest after its answer, it is asked once more at
 * the end: nothing that changes meanwhile is missed, and a service that answers slowly is not asked many times at once.
 * @param ask does not reject
 */
export function inTurn(ask: () => Promise<unknown>, restMs: number): InTurn {
  let [isBusy, isWanted, isStopped] = [false, false, false];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rested = (): void => {
    isBusy = false;
    if (isWanted) begin();
  };
  const begin = (): void => {
    [isBusy, isWanted] = [true, false];
    void ask().then(() => {
      if (!isStopped) timer = setTimeout(rested, restMs);
    });
  };
  return {
    want: () => {
      if (isStopped) return;
      if (isBusy) isWanted = true;
      else begin();
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
