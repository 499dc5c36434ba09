import { inTime } from '@form-webhooks/domain';
import { vi } from 'vitest';

/*
 * `vi.waitFor` of all tests. Asked fifty times a second for seconds, services, database and test spend more on the question
 * than on what is waited for.
 */

/** For what never comes: Vitest's own second passes on a busy machine before what is waited for had its turn. */
const TIMEOUT_MS = 10_000;

/** A pause is this part of what was waited so far, so that nothing is noticed later by more than that. */
const PART = 0.1;
/** And at most so many times the interval that the test gave, which tells how short-lived what it looks for may be. */
const MOST_INTERVALS = 5;

type WaitFor = typeof vi.waitFor;
type Looked<T> = { readonly value: T } | { readonly error: unknown };

const atOnce = vi.waitFor;

const waitFor: WaitFor = async (check, options = {}) => {
  const { timeout = TIMEOUT_MS, interval = 50 } = typeof options === 'number' ? { timeout: options } : options;
  // Those have to be advanced between two looks.
  if (vi.isFakeTimers()) return atOnce(check, { timeout, interval });
  const began = performance.now();
  let failure: unknown = new Error(`not seen within ${timeout} ms`);
  for (;;) {
    const looking = look(check);
    if (!(await inTime(looking, Math.max(began + timeout - performance.now(), 0)))) throw failure;
    const looked = await looking;
    if ('value' in looked) return looked.value;
    failure = looked.error;
    const waited = performance.now() - began;
    if (waited >= timeout) throw failure;
    const pause = Math.max(interval, Math.min(waited * PART, interval * MOST_INTERVALS));
    await new Promise((resolve) => setTimeout(resolve, Math.min(pause, timeout - waited)));
  }
};

async function look<T>(check: () => T | Promise<T>): Promise<Looked<T>> {
  try {
    return { value: await check() };
  } catch (error) {
    return { error };
  }
}

// The files of a worker share what this module replaced.
if (!('grows' in atOnce)) vi.waitFor = Object.assign(waitFor, { grows: true });
