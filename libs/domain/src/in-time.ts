/**
 * Whether `work` ended within the time; if it didn't it goes on, and whatever becomes of it later concerns nobody here.
 * No timer outlives the answer.
 * @throws what it throws in time
 */
export async function inTime(work: Promise<unknown>, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
