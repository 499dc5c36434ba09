import { setTimeout as delay } from 'node:timers/promises';

/** Asks again until it is so. @throws Error that says what did not come about within the time */
export async function until(what: string, holds: () => Promise<boolean>, timeoutMs = 300_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${what}: not within ${timeoutMs / 1_000} s`);
    await delay(50);
  }
}
