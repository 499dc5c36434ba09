import type { EventRecord } from '@form-webhooks/messages';

/** The record of an event without deliveries. */
export const anEvent = (acceptedAt: number): EventRecord => ({
  kind: 'event',
  eventId: 'evt_1' as EventRecord['eventId'],
  event: 'submission.created',
  formId: 'f_1' as EventRecord['formId'],
  submissionId: 's_1' as EventRecord['submissionId'],
  acceptedAt,
  fannedOutAt: acceptedAt,
  tail: Buffer.from('{}'),
  deliveries: [],
});
