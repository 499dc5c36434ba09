import type { InvalidJsonCode } from '@form-webhooks/domain';

/** What is wrong with one member; the codes are part of the contract with the form service. */
export type FaultCode =
  | 'required'
  | 'invalid_type'
  | 'invalid_format'
  | 'unknown_event'
  | 'unknown_member'
  | 'duplicate_member'
  | 'not_an_object'
  | 'key_mismatch'
  | 'routing_key_mismatch';

export interface FieldError {
  /** The member's path, such as `payment.amount`; empty for the body as a whole. */
  readonly field: string;
  readonly code: FaultCode;
  /** A sentence that never repeats a value. */
  readonly message: string;
}

export type UnreadableCode = Exclude<InvalidJsonCode, 'not_an_object'>;

/** Why an event can't be accepted as it is: sending it again unchanged is pointless. */
export type Refusal =
  | { readonly kind: 'unreadable'; readonly code: UnreadableCode; readonly message: string }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

/** The label under which a refusal is counted. */
export const reasonOf = (refusal: Refusal): string => (refusal.kind === 'unreadable' ? refusal.code : 'invalid');

/** One line for whoever looks at a rejected message. */
export function describeRefusal(refusal: Refusal): string {
  if (refusal.kind === 'unreadable') return `${refusal.code}: ${refusal.message}`;
  return `invalid: ${refusal.errors.map(({ message }) => message).join('; ')}`;
}
