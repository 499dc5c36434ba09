import { Injectable } from '@nestjs/common';
import {
  databaseNow,
  EndpointSwitchOff,
  switchOffGone,
  SYSTEM,
  type GoneAnswer,
  type Transaction,
} from '@form-webhooks/storage';
import { Change } from '../changes/change.js';
import { auditEndpoint } from './endpoint-audit.js';

/** Switches an endpoint off whose receiver answered 410, in the transaction that writes the attempt to the log. */
@Injectable()
export class GoneEndpoints extends EndpointSwitchOff {
  async switchOff(tx: Transaction, gone: readonly GoneAnswer[]): Promise<void> {
    const change = new Change(tx, SYSTEM, await databaseNow(tx));
    // In one order, so that two batches with the same endpoints can't wait for each other.
    for (const answer of gone.toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1))) {
      const endpoint = await switchOffGone(tx, answer.endpointId, answer.endpointVersion, change.at);
      if (!endpoint) continue;
      auditEndpoint(change, endpoint, 'endpoint.disabled', [
        { field: 'enabled', old: true, new: false },
        { field: 'disabled_reason', old: null, new: 'gone' },
        { field: 'delivery_id', new: answer.deliveryId },
      ]);
      await change.announce({ kind: 'form', form_id: endpoint.formId });
    }
    await change.finish();
  }
}
