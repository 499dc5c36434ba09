import {
  deriveDeliveryId,
  deriveEventId,
  FIRST_POSITION,
  type EndpointId,
  type FormId,
  type SubmissionId,
} from '@form-webhooks/domain';
import type { DeliveryMessage } from '@form-webhooks/messages';

/** A delivery message; each number gives another one. */
export function aDeliveryMessage(n: number): DeliveryMessage {
  const tail = Buffer.from(`"form_id":"f_1","submission_id":"s_${n}","fields":{"n":${n}.0},"meta":{}}`);
  const identity = { formId: 'f_1', event: 'submission.created', submissionId: `s_${n}`, key: `key-${n}`, tail };
  const eventId = deriveEventId(identity);
  return {
    event: 'submission.created',
    eventId,
    formId: 'f_1' as FormId,
    submissionId: `s_${n}` as SubmissionId,
    acceptedAt: 1_790_000_000_000,
    tail,
    deliveryId: deriveDeliveryId(eventId, 'we_1'),
    endpointId: 'we_1' as EndpointId,
    position: FIRST_POSITION,
    generationStartedAt: 1_790_000_000_000,
    dueAt: 1_790_000_000_000,
    trigger: 'replay',
  };
}
