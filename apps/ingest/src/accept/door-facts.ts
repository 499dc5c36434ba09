import { IDEMPOTENCY_KEY_FORMAT, type TraceParent } from '@form-webhooks/domain';
import type { EventBody } from './event-body.js';
import type { FieldError } from './refusal.js';

/** What a door knows of an event besides its body. */
export interface DoorFacts {
  /** Where this door carries the caller's key. */
  readonly keyName: 'Idempotency-Key' | 'message_id';
  readonly key: string | undefined;
  /** A message may be handed over again, so without a key it could become a second event. */
  readonly keyRequired: boolean;
  /** The event that the message was routed as, if its door routes by event. */
  readonly routedAs?: string;
  /** The span of the caller that it is a part of, if the caller traces. */
  readonly trace?: TraceParent | undefined;
}

/** What is wrong with what the door knows, or between that and the body. */
export function doorFaults(facts: DoorFacts, body: EventBody): FieldError[] {
  return [...keyFaults(facts, body.idempotency_key), ...routingFaults(facts.routedAs, body.event)];
}

function keyFaults({ keyName, key, keyRequired }: DoorFacts, inBody: unknown): FieldError[] {
  if (key === undefined) {
    if (!keyRequired) return [];
    return [{ field: keyName, code: 'required', message: `${keyName} is required: it names the event` }];
  }
  if (!IDEMPOTENCY_KEY_FORMAT.pattern.test(key)) {
    const message = `${keyName} must be ${IDEMPOTENCY_KEY_FORMAT.words}`;
    return [{ field: keyName, code: 'invalid_format', message }];
  }
  if (typeof inBody !== 'string' || inBody === key) return [];
  const message = `idempotency_key and ${keyName} differ; give one of them, or the same in both`;
  return [{ field: 'idempotency_key', code: 'key_mismatch', message }];
}

function routingFaults(routedAs: string | undefined, event: unknown): FieldError[] {
  if (routedAs === undefined || typeof event !== 'string' || routedAs === event) return [];
  return [{ field: 'event', code: 'routing_key_mismatch', message: 'event differs from the routing key' }];
}
