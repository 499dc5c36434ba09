import type { Delivery } from '../api/queries.js';
import { isOpen } from '../api/watched.js';

export type Action = 'retry' | 'cancel' | 'replay';

/** What has ended so has nothing left to be sent, or nobody to send it to, and nothing brings that back. */
const FOR_EVER: readonly Delivery['reason'][] = ['submission_erased', 'endpoint_deleted'];

/** What can be done with a delivery as it stands: what the API refuses in any case is not offered. */
export function possibleActions({
  state,
  trigger,
  reason,
}: Pick<Delivery, 'state' | 'trigger' | 'reason'>): readonly Action[] {
  const isTest = trigger === 'test';
  if (isOpen(state)) return isTest ? ['cancel'] : ['retry', 'cancel'];
  return isTest || FOR_EVER.includes(reason) ? [] : ['replay'];
}
