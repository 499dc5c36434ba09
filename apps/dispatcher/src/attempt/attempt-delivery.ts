import { Inject, Injectable } from '@nestjs/common';
import { decideNextStep, DEFERRAL_RUNGS_MS, nextLongerRung, type RetryPolicy } from '@form-webhooks/domain';
import type { DeliveryMessage, EndpointSnapshot } from '@form-webhooks/messages';
import type { SentAttempt } from '@form-webhooks/sender';
import { Admission, type Slot } from '../admission/admission.js';
import { FormUnknown, type FormEndpoints } from '../endpoints/endpoint-directory.js';
import { targetOf } from './delivery-target.js';
import type { SettledOrDeferred } from './delivery-tracker.js';
import { Settlement, type DeferralCause } from './settlement.js';

/** The token of the `RetryPolicy`. */
export const RETRY_POLICY = Symbol('retry policy');

/** Looks up a form as a delivery that fell due needs it. */
export abstract class DueFormLookup {
  /** @throws FormUnknown while config can't be asked and nothing is cached */
  abstract lookupFor(delivery: DeliveryMessage): Promise<FormEndpoints>;
}

/** Sends one attempt. Whatever a receiver or the network does is a value; it rejects only for bugs. */
export abstract class AttemptSender {
  abstract send(delivery: DeliveryMessage, endpoint: EndpointSnapshot, workspaceId: string): Promise<SentAttempt>;
}

/**
 * Makes one attempt at a delivery that fell due and settles what follows from it. Read from top to bottom it is the
 * policy of the product: look up, cancel, admit or defer, send, decide, settle.
 */
@Injectable()
export class AttemptDelivery {
  constructor(
    private readonly forms: DueFormLookup,
    private readonly admission: Admission,
    private readonly sender: AttemptSender,
    private readonly settlement: Settlement,
    @Inject(RETRY_POLICY) private readonly policy: RetryPolicy,
  ) {}

  /** Resolves once everything that follows is confirmed. It rejects only for bugs. */
  async attempt(delivery: DeliveryMessage): Promise<SettledOrDeferred> {
    const form = await this.formOf(delivery);
    if (!form) return this.defer(delivery, lookupPauseMs(delivery), 'form_unknown');

    const target = targetOf(delivery, form);
    if (target.kind === 'cancelled') {
      await this.settlement.cancelDelivery(delivery, target.reason);
      return 'settled';
    }
    const { endpoint, workspaceId } = target;

    const admitted = await this.admission.enter({
      endpointId: delivery.endpointId,
      origin: new URL(endpoint.url).origin,
      deferredBefore: delivery.position.deferrals > 0,
    });
    if (admitted.kind === 'deferral') return this.defer(delivery, admitted.delayMs, 'no_slot');

    const sent = await this.sendInSlot(admitted, () => this.sender.send(delivery, endpoint, workspaceId));
    const next = decideNextStep(
      sent.result,
      {
        position: delivery.position,
        deliveryId: delivery.deliveryId,
        endpointId: delivery.endpointId,
        generationStartedAt: delivery.generationStartedAt,
        now: Date.now(),
        singleAttempt: delivery.trigger === 'test',
      },
      this.policy,
    );
    await this.settlement.settleAttempt(delivery, { endpoint, sent, next });
    return 'settled';
  }

  private async formOf(delivery: DeliveryMessage): Promise<FormEndpoints | undefined> {
    try {
      return await this.forms.lookupFor(delivery);
    } catch (error) {
      if (error instanceof FormUnknown) return undefined;
      throw error;
    }
  }

  private async defer(delivery: DeliveryMessage, delayMs: number, cause: DeferralCause): Promise<SettledOrDeferred> {
    await this.settlement.deferDelivery(delivery, nextLongerRung(DEFERRAL_RUNGS_MS, delayMs), cause);
    return 'deferred';
  }

  /** Gives the slot back before anything is published: a slow declare or confirm must not hold one. */
  private async sendInSlot(slot: Slot, send: () => Promise<SentAttempt>): Promise<SentAttempt> {
    const began = performance.now();
    const sent = await send().catch((error: unknown) => {
      slot.release({ kind: 'error', code: 'aborted' }, performance.now() - began);
      throw error;
    });
    slot.release(sent.result, sent.durationMs);
    return sent;
  }
}

/** Longer each time, at most a minute: config will be back, and its form's deliveries should not wait long then. */
const lookupPauseMs = ({ position }: DeliveryMessage): number => DEFERRAL_RUNGS_MS[Math.min(position.deferrals, 3)]!;
