import { decideNextStep, DEFERRAL_RUNGS_MS, nextLongerRung, type RetryPolicy } from '@form-webhooks/domain';
import type { DeliveryMessage, EndpointSnapshot } from '@form-webhooks/messages';
import type { Admission, Slot } from '../admission/admission.js';
import type { AttemptReport } from './attempt-report.js';
import type { AttemptSender } from './attempt-sender.js';
import { targetOf } from './delivery-target.js';
import type { Handled } from './delivery-tracker.js';
import { FormUnknown, type EndpointDirectory, type FormEndpoints } from '../endpoints/endpoint-directory.js';
import type { Settlement } from './settlement.js';

/** What a delivery's attempt needs of the rest of the dispatcher. */
export interface AttemptParts {
  readonly directory: EndpointDirectory;
  readonly admission: Admission;
  readonly sender: AttemptSender;
  readonly settlement: Settlement;
  readonly report: AttemptReport;
}

/**
 * Makes one attempt at a delivery that fell due and settles what follows from it. Read from top to bottom it is the
 * policy of the product: look up, cancel, admit or defer, send, decide, settle.
 */
export class AttemptDelivery {
  private readonly origins = new WeakMap<EndpointSnapshot, string>();

  constructor(
    private readonly parts: AttemptParts,
    private readonly policy: RetryPolicy,
  ) {}

  /** Resolves once everything that follows is confirmed. It rejects only for bugs. */
  async attempt(delivery: DeliveryMessage): Promise<Handled> {
    const { admission, report, settlement } = this.parts;
    const form = await this.formOf(delivery);
    if (!form) return this.defer(delivery, rungAt(delivery.position.deferrals), 'form_unknown');

    const target = targetOf(delivery, form);
    if (target.kind === 'cancelled') {
      await settlement.cancelled(delivery, target.reason);
      report.cancelled(delivery, target.reason);
      return 'settled';
    }

    const admitted = await admission.enter({
      endpointId: delivery.endpointId,
      origin: this.originOf(target.endpoint),
      deferredBefore: delivery.position.deferrals > 0,
    });
    if (admitted.kind === 'deferral') return this.defer(delivery, admitted.delayMs, 'no_slot');
    return this.send(delivery, target.endpoint, target.workspaceId, admitted);
  }

  private async send(
    delivery: DeliveryMessage,
    endpoint: EndpointSnapshot,
    workspaceId: string,
    slot: Slot,
  ): Promise<Handled> {
    const began = performance.now();
    const sent = await this.parts.sender.send(delivery, endpoint, workspaceId).catch((error: unknown) => {
      slot.release({ kind: 'error', code: 'aborted' }, performance.now() - began);
      throw error;
    });
    // Given back before anything is published: a slow declare or confirm must not hold a slot.
    slot.release(sent.result, sent.durationMs);
    const next = decideNextStep(
      sent.result,
      {
        position: delivery.position,
        endpointId: delivery.endpointId,
        generationStartedAt: delivery.generationStartedAt,
        now: Date.now(),
        singleAttempt: delivery.trigger === 'test',
      },
      this.policy,
    );
    this.parts.report.attempted(delivery, sent, next);
    await this.parts.settlement.attempted(delivery, endpoint, sent, next);
    return 'settled';
  }

  private async defer(delivery: DeliveryMessage, delayMs: number, why: 'form_unknown' | 'no_slot'): Promise<Handled> {
    await this.parts.settlement.deferred(delivery, nextLongerRung(DEFERRAL_RUNGS_MS, delayMs));
    this.parts.report.deferred(delivery, why);
    return 'deferred';
  }

  private originOf(endpoint: EndpointSnapshot): string {
    const known = this.origins.get(endpoint);
    if (known !== undefined) return known;
    const { origin } = new URL(endpoint.url);
    this.origins.set(endpoint, origin);
    return origin;
  }

  private async formOf(delivery: DeliveryMessage): Promise<FormEndpoints | undefined> {
    try {
      return await this.parts.directory.lookupFor(delivery);
    } catch (error) {
      if (error instanceof FormUnknown) return undefined;
      throw error;
    }
  }
}

/** Longer each time, at most a minute: config will be back, and its form's deliveries should not wait long then. */
const rungAt = (deferrals: number): number => DEFERRAL_RUNGS_MS[Math.min(deferrals, 3)]!;
