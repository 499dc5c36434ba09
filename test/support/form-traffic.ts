import { expect, vi } from 'vitest';
import type { ReceivedRequest } from './receiver.js';
import type { Stack } from './stack.js';

/** Posts at a time: as many as a busy form service would make, few enough for a small machine. */
const AT_A_TIME = 20;

const eventOf = (formId: string, n: number): string =>
  `{"event":"submission.created","form_id":"${formId}","submission_id":"s_${n}","fields":{"n":${n}},"idempotency_key":"k${n}"}`;

/** Posts that many events of a form, numbered from `first`; each must be accepted. */
export async function postEvents(stack: Stack, formId: string, count: number, first = 0): Promise<void> {
  let next = first;
  const postInTurn = async (): Promise<void> => {
    while (next < first + count) expect((await stack.post(eventOf(formId, next++))).status).toBe(202);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, postInTurn));
}

/**
 * The same, so few at a time that no delivery is put off: on a slow machine one that was is tried for the first time when
 * others have had all their tries.
 * @param expectTried fails until each delivery of so many events was tried
 */
export async function postEventsInParts(
  stack: Stack,
  formId: string,
  count: number,
  expectTried: (events: number) => void,
): Promise<void> {
  const part = 5;
  for (let posted = 0; posted < count; posted += part) {
    await postEvents(stack, formId, part, posted);
    await vi.waitFor(() => expectTried(posted + part), { timeout: 60_000 });
  }
}

export const deliveryIdOf = ({ headers }: ReceivedRequest): string => String(headers['webhook-id']);
