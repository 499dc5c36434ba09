import type { DeliveryQueryDto, ReplayFilterDto } from '@form-webhooks/http-api';
import type { DeliveryFilter } from '@form-webhooks/storage';

/** The conditions of a list, of a total, or of a replay, whose states are one. */
type AskedFor = Omit<DeliveryQueryDto, 'cursor' | 'limit' | 'order' | 'state'> & {
  readonly state?: DeliveryQueryDto['state'] | ReplayFilterDto['state'];
};

/** What a query asks for, in the storage's terms. */
export function filterOf(query: AskedFor): DeliveryFilter {
  const { endpoint_id, state, reason, trigger, event, submission_id, delivery_id, text, from, to } = query;
  const { response_status, response_class, error, min_attempts } = query;
  return {
    ...(endpoint_id !== undefined && { endpointId: endpoint_id }),
    ...(state !== undefined && { states: [state].flat() }),
    ...(reason !== undefined && { reasons: reason }),
    ...(trigger !== undefined && { triggers: trigger }),
    ...(event !== undefined && { event }),
    ...(submission_id !== undefined && { submissionId: submission_id }),
    ...(delivery_id !== undefined && { deliveryId: delivery_id }),
    ...(text !== undefined && { text }),
    ...(response_status !== undefined && { responseStatus: response_status }),
    ...(response_class !== undefined && { responseClass: Number(response_class[0]) }),
    ...(error !== undefined && { error }),
    ...(min_attempts !== undefined && { minAttempts: min_attempts }),
    ...(from !== undefined && { from: Date.parse(from) }),
    ...(to !== undefined && { to: Date.parse(to) }),
  };
}
