import type { Headers } from '@form-webhooks/messages';

/** A message as a handler sees it. The consumer settles it, not the handler. */
export interface IncomingMessage {
  readonly queue: string;
  readonly headers: Headers;
  readonly body: Buffer;
  /** The broker handed it over before, to this or another consumer; also if it was put back to work after a crash. */
  readonly redelivered: boolean;
  /**
   * False once the broker has taken it back, as with a lost connection. The broker then delivers it again, here or
   * elsewhere.
   */
  readonly isOurs: () => boolean;
  readonly routingKey: string;
  readonly messageId?: string;
  readonly contentType?: string;
  readonly contentEncoding?: string;
  /** When its publisher says that it was sent, ms since the epoch. */
  readonly sentAt?: number;
  /** Who published it: the broker's user if the publisher named it (the broker checks that), else its application. */
  readonly sentBy?: string;
}

/**
 * What a handler says of a message:
 *
 * | verdict | the consumer |
 * |---|---|
 * | `DONE` | acks it: everything that follows from it is confirmed |
 * | `park(reason)` | puts it with its reason where a person looks at it, then acks |
 * | `park(reason, body)` | the same with what is left to be looked at in place of its body |
 * | the handler throws | hands it back after a pause; past the delivery limit the broker parks it |
 * | it throws `ServiceStops` | the same, without telling of a failure |
 *
 * Waiting is none of these: a delivery that has to wait goes to a delay queue and is `DONE`.
 */
export type Verdict =
  { readonly kind: 'done' } | { readonly kind: 'park'; readonly reason: string; readonly body?: Buffer };

export const DONE: Verdict = { kind: 'done' };
export const park = (reason: string, body?: Buffer): Verdict => ({
  kind: 'park',
  reason,
  ...(body === undefined ? {} : { body }),
});

/** The work of a message does not begin any more, since the service stops: somebody else is to have it. No failure. */
export class ServiceStops extends Error {
  override readonly name = 'ServiceStops';

  /** @param meanwhile what it waited for, in words such as "no work may begin" */
  constructor(meanwhile: string) {
    super(`the service stops while ${meanwhile}`);
  }
}
