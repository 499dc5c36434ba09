import type { DeliveryMessage } from '@form-webhooks/messages';
import type { Transaction } from '../database/data-source.js';
import { pendingRow } from '../deliveries/delivery-row.js';
import { ErasedSubmissions } from '../erasure/erased-submissions.js';
import { insertEvents } from '../log-writing/insert-events.js';
import { insertDeliveries } from '../log-writing/store-deliveries.js';

const NOTHING_ERASED = new ErasedSubmissions([]);

/**
 * Puts a test send into the log, `pending`, in the transaction that also hands it to the dispatchers: whoever gets its
 * id finds it at once. It stays outside the statistics.
 */
export async function insertTestDelivery(tx: Transaction, message: DeliveryMessage): Promise<void> {
  const { position, trigger, generationStartedAt, dueAt } = message;
  await insertEvents(tx, [{ ...message, isTest: true }], NOTHING_ERASED);
  await insertDeliveries(tx, [pendingRow(message, { position, trigger, generationStartedAt, nextAttemptAt: dueAt })]);
}
