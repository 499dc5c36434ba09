import type { DeliveryId, EndpointId, FormId } from '@form-webhooks/domain';
import type { Transaction } from '../database/data-source.js';

/** An attempt that the receiver answered with 410. */
export interface GoneAnswer {
  readonly formId: FormId;
  readonly endpointId: EndpointId;
  /** The version of the endpoint that the request was made for. */
  readonly endpointVersion: number;
  readonly deliveryId: DeliveryId;
  /** ms since the epoch. */
  readonly answeredAt: number;
}

/**
 * Switches endpoints off whose receiver says that it is gone, if their version is still the one that was used, with the
 * audit entry and the notice that follow from it, all in the transaction that writes the attempt to the log. A repeat
 * changes nothing, since switching off raises the version.
 */
export abstract class EndpointSwitchOff {
  abstract switchOff(tx: Transaction, gone: readonly GoneAnswer[]): Promise<void>;
}
