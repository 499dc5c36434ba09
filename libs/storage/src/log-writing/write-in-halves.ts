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

type Write<R> = (some: readonly R[]) => Promise<void>;

/**
 * After so many refusals of which none need be due to a record, and not one part written, it may be the database that
 * takes none: a table that isn't there would have every single record tried.
 */
const MAX_IN_VAIN = 32;
/** So many records are tried alone then: each of the parts before may have had one to blame in it. */
const MAX_ALONE = 32;

/**
 * Writes in one transaction; halves what is refused until those to blame stand alone. The larger parts come first, so
 * that what is sound is written soon.
 * @returns those that were refused alone; all others are written
 * @throws what is no refusal, and a refusal of everything, as far as single records show that
 */
export async function writeInHalves<R>(
  records: readonly R[],
  write: Write<R>,
  signs: RefusalSigns,
): Promise<readonly Refused<R>[]> {
  const refused: Refused<R>[] = [];
  const parts = records.length > 0 ? [records] : [];
  let inVain = 0;
  let isTaking = false;
  // It grows meanwhile.
  for (const part of parts) {
    try {
      await write(part);
      isTaking = true;
    } catch (error) {
      if (!signs.isRefusal(error)) throw error;
      if (!isTaking && !signs.isCertain(error) && ++inVain > MAX_IN_VAIN) {
        isTaking = await takesAny(records, write, signs);
        if (!isTaking) throw error;
      }
      const half = part.length >> 1;
      if (half === 0) refused.push({ record: part[0]!, error });
      else parts.push(part.slice(0, half), part.slice(half));
    }
  }
  return refused;
}

/**
 * Tries single records from all over the batch, other ones each time: where nearly all are to blame, a sound one is
 * among them sooner or later. What is written here is written once more with its part.
 * @returns true if one is written, or refused for what it is
 */
async function takesAny<R>(records: readonly R[], write: Write<R>, signs: RefusalSigns): Promise<boolean> {
  const stride = Math.max(1, Math.ceil(records.length / MAX_ALONE));
  for (let at = Math.floor(Math.random() * stride); at < records.length; at += stride) {
    try {
      await write([records[at]!]);
      return true;
    } catch (error) {
      if (!signs.isRefusal(error)) throw error;
      if (signs.isCertain(error)) return true;
    }
  }
  return false;
}
