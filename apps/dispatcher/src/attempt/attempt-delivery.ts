import { Inject, Injectable } from '@nestjs/common';
import {
  decideNextStep,
  DEFERRAL_RUNGS_MS,
  nextLongerRung,
  rungAfter,
  turnRungs,
  type NextStep,
  type RetryPolicy,
  type WaitingCause,
} from '@form-webhooks/domain';
import type { DeliveryMessage, EndpointSnapshot } from '@form-webhooks/messages';
import type { SentAttempt } from '@form-webhooks/sender';
import { Admission, type Applicant, type Slot } from '../admission/admission.js';
import { FormUnknown, type FormEndpoints } from '../endpoints/form-endpoints.js';
import { lookupPauseMs } from '../endpoints/lookup-pauses.js';
import { targetOf, type DeliveryTarget } from './delivery-target.js';
import type { SettledOrDeferred } from './delivery-tracker.js';
import { Settlement } from './settlement.js';

/** The token of the `RetryPolicy`. */
export const RETRY_POLICY = Symbol('retry policy');

/** Looks up a form as a delivery that fell due needs it. */
export abstract class DueFormLookup {
  /** @throws FormUnknown while config can't be asked and nothing is cached */
  abstract lookupFor(delivery: DeliveryMessage): Promise<FormEndpoints>;
}

/** A signing secret does not open: it was tampered with, or this dispatcher's keys are not those that sealed it. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

/** Sends one attempt. Whatever a receiver or the network does is a value; else it rejects only for bugs. */
export abstract class AttemptSender {
  /** @throws SecretUnreadable, and nothing was sent */
  abstract send(delivery: DeliveryMessage, endpoint: EndpointSnapshot, workspaceId: string): Promise<SentAttempt>;
}

/** Who has to know how far an attempt has come. */
export interface AttemptProgress {
  /** It has asked for its slot, if it needs one. */
  asked(): void;
  /** Its POST is over; what follows waits for records and confirms. */
  sent(): void;
}

/** What a delivery that fell due finds: where it goes, that it is cancelled, or that config can't be asked. */
type Found = DeliveryTarget | { readonly kind: 'unknown' };

/**
 * Makes one attempt at a delivery that fell due and settles what follows from it. Read from top to bottom it is the
 * policy of the product: look up, cancel, admit or defer, look up again, send, decide, settle.
 */
@Injectable()
export class AttemptDelivery {
  private readonly turnRungsMs: readonly number[];

  constructor(
    private readonly forms: DueFormLookup,
    private readonly admission: Admission,
    private readonly sender: AttemptSender,
    private readonly settlement: Settlement,
    @Inject(RETRY_POLICY) private readonly policy: RetryPolicy,
  ) {
    this.turnRungsMs = turnRungs(policy.schedule);
  }

  /**
   * Resolves once everything that follows is confirmed. It rejects only for bugs.
   * @throws UnsettledAttempt if a bug came after the POST
   */
  async attempt(delivery: DeliveryMessage, progress?: AttemptProgress): Promise<SettledOrDeferred> {
    const applying = await this.find(delivery);
    if (applying.kind !== 'endpoint') return this.endUnsent(delivery, applying);

    const entering = this.admission.enter(applicantFor(delivery, applying.endpoint));
    progress?.asked();
    const admitted = await entering;
    if (admitted.kind === 'deferral') return this.defer(delivery, admitted.delayMs, admitted.cause);

    const target = await this.findInSlot(admitted, delivery);
    if (target.kind !== 'endpoint') return this.endUnsent(delivery, target);
    const { endpoint, workspaceId } = target;

    const sent = await this.sendInSlot(admitted, () => this.sender.send(delivery, endpoint, workspaceId));
    progress?.sent();
    if (sent === undefined) return this.defer(delivery, pauseForRepair(delivery), 'secret_unreadable');
    const settled = this.settlement.afterPost(delivery, () => {
      const next = this.nextStep(delivery, endpoint, sent);
      return this.settlement.settleAttempt(delivery, { endpoint, sent, next });
    });
    return settled.then(() => 'settled');
  }

  private async find(delivery: DeliveryMessage): Promise<Found> {
    try {
      return targetOf(delivery, await this.forms.lookupFor(delivery));
    } catch (error) {
      if (error instanceof FormUnknown) return { kind: 'unknown' };
      throw error;
    }
  }

  /** An endpoint that was changed or switched off while its delivery waited for the slot is so for this attempt. */
  private async findInSlot(slot: Slot, delivery: DeliveryMessage): Promise<Found> {
    let found: Found | undefined;
    try {
      found = await this.find(delivery);
      return found;
    } finally {
      if (found?.kind !== 'endpoint') slot.giveBack();
    }
  }

  private async endUnsent(
    delivery: DeliveryMessage,
    found: Exclude<Found, { readonly kind: 'endpoint' }>,
  ): Promise<SettledOrDeferred> {
    if (found.kind === 'unknown')
      return this.defer(delivery, lookupPauseMs(delivery.position.deferrals), 'form_unknown');
    const mayYetBeSent = Date.now() - delivery.generationStartedAt < this.policy.deliveryMaxAgeMs;
    if (found.kind === 'not_registered' && mayYetBeSent) {
      return this.defer(delivery, pauseForRepair(delivery), 'not_registered');
    }
    if (found.kind === 'paused') {
      if (mayYetBeSent) return this.defer(delivery, pauseWhileHeldBack(delivery), 'paused');
      await this.settlement.expireDelivery(delivery);
      return 'settled';
    }
    await this.settlement.cancelDelivery(delivery, found.reason);
    return 'settled';
  }

  private nextStep(delivery: DeliveryMessage, endpoint: EndpointSnapshot, sent: SentAttempt): NextStep {
    const { position, deliveryId, endpointId, generationStartedAt, trigger } = delivery;
    const singleAttempt = trigger === 'test';
    const context = { position, deliveryId, endpointId, generationStartedAt, now: Date.now(), singleAttempt };
    return decideNextStep(sent.result, context, policyFor(endpoint, this.policy));
  }

  private async defer(delivery: DeliveryMessage, delayMs: number, cause: WaitingCause): Promise<SettledOrDeferred> {
    await this.settlement.deferDelivery(delivery, nextLongerRung(this.turnRungsMs, delayMs), cause);
    return 'deferred';
  }

  /**
   * Gives the slot back before anything is published: a slow declare or confirm must not hold one.
   * @returns undefined if it could not be signed, so that nothing was sent
   */
  private async sendInSlot(slot: Slot, send: () => Promise<SentAttempt>): Promise<SentAttempt | undefined> {
    const began = performance.now();
    slot.begin();
    try {
      const sent = await send();
      slot.release(sent.result, sent.durationMs);
      return sent;
    } catch (error) {
      if (error instanceof SecretUnreadable) {
        slot.giveBack();
        return undefined;
      }
      slot.release({ kind: 'error', code: 'aborted' }, performance.now() - began);
      throw error;
    }
  }
}

/** Longer each time, at most a minute: the keys or the database will be right again, and nothing should wait long then. */
const pauseForRepair = ({ position }: DeliveryMessage): number =>
  boundedPauseMs(position.deferrals, { fromMs: 1_000, toMs: 60_000 });

/**
 * Until it is looked whether an operator still holds it back: 4 s, longer each time, at most five minutes. After hours
 * everything has gone on within five minutes, and as many as a dispatcher can keep waiting cost the broker little.
 */
const pauseWhileHeldBack = ({ position }: DeliveryMessage): number =>
  boundedPauseMs(position.deferrals, { fromMs: 4_000, toMs: 300_000 });

/** The rung of what was put off so many times: the first one from `fromMs` on, the next each time, none beyond `toMs`. */
function boundedPauseMs(
  deferrals: number,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): number {
  return rungAfter(
    DEFERRAL_RUNGS_MS.filter((ms) => ms >= fromMs && ms <= toMs),
    deferrals,
  );
}

function applicantFor(delivery: DeliveryMessage, endpoint: EndpointSnapshot): Applicant {
  const { endpointId, deliveryId, eventId, tail, position, trigger } = delivery;
  const due = position.try > 0 || position.deferrals > 0;
  // First attempts are made while the event's own message is held; what came by itself is a message of its own.
  const cameAlone = due || trigger !== 'event' || delivery.cameBefore === true || delivery.republishedBy !== undefined;
  return {
    endpointId,
    origin: originOf(endpoint),
    message: cameAlone ? deliveryId : eventId,
    bytes: tail.length,
    due,
    deferrals: position.deferrals,
    rateLimit: endpoint.rate_limit ?? undefined,
  };
}

const origins = new WeakMap<EndpointSnapshot, string>();

/** Read once from each answer of config. The sender tells of a URL that can't be read. */
function originOf(endpoint: EndpointSnapshot): string {
  const known = origins.get(endpoint);
  if (known !== undefined) return known;
  const { url } = endpoint;
  const origin = URL.canParse(url) ? new URL(url).origin : url;
  origins.set(endpoint, origin);
  return origin;
}

/** The installation's policy, but for what the endpoint's owner wants otherwise. */
function policyFor(endpoint: EndpointSnapshot, policy: RetryPolicy): RetryPolicy {
  const { retry_statuses, redirect_is_success, retry_schedule } = endpoint;
  if (!retry_statuses && redirect_is_success !== true && !retry_schedule) return policy;
  return {
    ...policy,
    ...(retry_statuses && { retryStatuses: new Set(retry_statuses) }),
    ...(retry_schedule && { ownSchedule: retry_schedule }),
    redirectIsSuccess: redirect_is_success === true,
  };
}
