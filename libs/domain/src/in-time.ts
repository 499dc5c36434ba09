/**
 * Whether `work` ended within the time; if it didn't it goes on, and whatever becomes of it later concerns nobody here.
 * No timer outlives the answer.
 * @throws what it throws in time
 */
export function inTime(work: Promise<unknown>, withinMs: number): Promise<boolean> {
  // Each publish waits like this: a race makes half a dozen promises of it.
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => answer(false), withinMs);
    const answer = (ended: boolean): void => {
      clearTimeout(timer);
      resolve(ended);
    };
    work.then(
      () => answer(true),
      (error: Error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
