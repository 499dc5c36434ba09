import type { DeliveryMessage, EndpointSnapshot } from '@form-webhooks/messages';
import type { SentAttempt } from '@form-webhooks/sender';
import { Tracing, type SpanAttributes } from '@form-webhooks/telemetry';
import { AttemptSender } from '../attempt/attempt-delivery.js';

/** Shows each attempt as a span of its event's trace. Nothing of it is sent to the receiver. */
export class TracedSender extends AttemptSender {
  constructor(
    private readonly sender: AttemptSender,
    private readonly tracing: Tracing,
  ) {
    super();
  }

  /** @throws what the sender throws */
  override send(delivery: DeliveryMessage, endpoint: EndpointSnapshot, workspaceId: string): Promise<SentAttempt> {
    const attributes = (sent?: SentAttempt): SpanAttributes =>
      sent === undefined ? idsOf(delivery) : attributesOf(delivery, endpoint, sent);
    return this.tracing.during(
      'attempt delivery',
      { kind: 'client', parent: delivery.trace, attributes, whenThrown: 'not_sent', failureOf },
      () => this.sender.send(delivery, endpoint, workspaceId),
    );
  }
}

const idsOf = ({ deliveryId, endpointId, eventId, formId, position }: DeliveryMessage): SpanAttributes => ({
  'webhook.delivery_id': deliveryId,
  'webhook.endpoint_id': endpointId,
  'webhook.event_id': eventId,
  'webhook.form_id': formId,
  'webhook.try': position.try,
});

/** The address without path and query, where owners keep tokens. */
const attributesOf = (delivery: DeliveryMessage, { url }: EndpointSnapshot, sent: SentAttempt): SpanAttributes => ({
  ...idsOf(delivery),
  'http.request.method': 'POST',
  'http.request.body.size': delivery.tail.length,
  ...(URL.canParse(url) && { 'server.address': new URL(url).hostname }),
  ...(sent.response && { 'http.response.status_code': sent.response.status }),
});

function failureOf({ error, response }: SentAttempt): string | undefined {
  if (error) return error.code;
  return response !== null && response.status >= 400 ? `status_${response.status}` : undefined;
}
