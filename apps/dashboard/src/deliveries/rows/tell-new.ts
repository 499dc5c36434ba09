/** Tells of new rows at intervals, so that nobody who listens hears of each. */
export interface NewRowsTeller {
  /** @param waiting how many rows are not let in yet; fewer than before once they were */
  readonly see: (waiting: number) => void;
  readonly stop: () => void;
}

/**
 * The first is told at once, what comes within the interval after it together at its end.
 * @param say is given how many have come since it was called last
 */
export function newRowsTeller(say: (count: number) => void, everyMs: number): NewRowsTeller {
  let [seen, untold] = [0, 0];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => {
    timer = undefined;
    if (untold === 0) return;
    say(untold);
    untold = 0;
    timer = setTimeout(tell, everyMs);
  };
  return {
    see: (waiting) => {
      untold += waiting >= seen ? waiting - seen : waiting;
      seen = waiting;
      if (timer === undefined) tell();
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
