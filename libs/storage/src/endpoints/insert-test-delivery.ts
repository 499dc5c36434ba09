import type { DeliveryMessage } from '@form-webhooks/messages';
import type { Transaction } from '../database/data-source.js';
import { ErasedSubmissions } from '../erasure/erased-submissions.js';
import { insertEvents } from '../log-writing/insert-events.js';
import { insertDeliveries } from '../log-writing/store-deliveries.js';

const NOTHING_ERASED = new ErasedSubmissions([]);

/**
 * Puts a test send into the log, `pending`, in the transaction that also hands it to the dispatchers: whoever gets its
 * id finds it at once. It stays outside the statistics.
 */
export async function insertTestDelivery(tx: Transaction, message: DeliveryMessage): Promise<void> {
  const { event, eventId, formId, submissionId, acceptedAt, tail, deliveryId, endpointId } = message;
  const stored = { event, eventId, formId, submissionId, acceptedAt, tail };
  await insertEvents(tx, [stored], NOTHING_ERASED);
  await insertDeliveries(tx, [
    {
      identity: { deliveryId, eventId, event, formId, submissionId, endpointId },
      acceptedAt,
      standing: {
        position: message.position,
        state: 'pending',
        reason: null,
        trigger: message.trigger,
        generationStartedAt: message.generationStartedAt,
        nextAttemptAt: message.dueAt,
        completedAt: null,
      },
      lastAttempt: null,
      attemptCount: 0,
    },
  ]);
}
