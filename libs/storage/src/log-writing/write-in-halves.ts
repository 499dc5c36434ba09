/** What can't be written, alone as it was tried in the end, and the error. */
export interface Refused<R> {
  readonly record: R;
  readonly error: unknown;
}

/** What an error of a write says of what was written. */
export interface RefusalSigns {
  /** Whether it may be due to one of the records: without it the others may be written. */
  readonly isRefusal: (error: unknown) => boolean;
  /** Whether it can be due to nothing else. */
  readonly isCertain: (error: unknown) => boolean;
}

/**
 * After so many refusals of which none need be due to a record, and not one part written, it is the database that takes
 * none: a table that isn't there would have every single record tried.
 */
const MAX_IN_VAIN = 32;

/**
 * Writes in one transaction; halves what is refused until those to blame stand alone. The larger parts come first, so
 * that what is sound is written soon.
 * @returns those that were refused alone; all others are written
 * @throws what is no refusal, and a refusal of everything
 */
export async function writeInHalves<R>(
  records: readonly R[],
  write: (some: readonly R[]) => Promise<void>,
  { isRefusal, isCertain }: RefusalSigns,
): Promise<readonly Refused<R>[]> {
  const refused: Refused<R>[] = [];
  const parts = records.length > 0 ? [records] : [];
  let inVain = 0;
  let written = false;
  // It grows meanwhile.
  for (const part of parts) {
    try {
      await write(part);
      written = true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (!written && !isCertain(error) && ++inVain > MAX_IN_VAIN) throw error;
      const half = part.length >> 1;
      if (half === 0) refused.push({ record: part[0]!, error });
      else parts.push(part.slice(0, half), part.slice(half));
    }
  }
  return refused;
}
