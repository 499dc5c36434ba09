import type { AttemptResult, RetryPolicy } from '@form-webhooks/domain';
import type { DeliveryMessage, DeliveryRecord, EndpointSnapshot } from '@form-webhooks/messages';
import type { SentAttempt } from '@form-webhooks/sender';
import { Admission, type Applicant, type Deferral, type Slot } from '../admission/admission.js';
import { AttemptDelivery, AttemptSender, type DueFormLookup } from '../attempt/attempt-delivery.js';
import { Settlement } from '../attempt/settlement.js';
import { FormUnknown, type FormEndpoints } from '../endpoints/form-endpoints.js';
import { aForm, anAnswer } from './factories.js';
import { FakeLog, FakePublisher, FakeReport, type Steps } from './fakes.js';

/** Each try waits longer by an amount that tells which try it was. */
export const POLICY: RetryPolicy = {
  schedule: [10_000, 30_000],
  retryStatuses: new Set([429]),
  deliveryMaxAgeMs: 3_600_000,
};

/** How everything around an attempt is to behave. */
export interface Behaviour {
  /** What config says of the form, or why it says nothing. */
  readonly form?: FormEndpoints | Error;
  /** What it says once the delivery has waited for its slot, if that is something else. */
  readonly formThen?: FormEndpoints | Error;
  /** Whether there is a slot; the wait that is advised if not, ms. */
  readonly admits?: true | Omit<Deferral, 'kind'>;
  /** What comes of the POST, or the bug that keeps it from being made. */
  readonly receiver?: SentAttempt | Error;
}

interface Sending {
  readonly delivery: DeliveryMessage;
  readonly endpoint: EndpointSnapshot;
  readonly workspaceId: string;
}

/** `AttemptDelivery` and `Settlement` as they are, with nothing real around them. */
export class AttemptStage {
  /** What happened, in order. */
  readonly steps: Steps = [];
  readonly applicants: Applicant[] = [];
  readonly sendings: Sending[] = [];
  readonly released: { readonly result: AttemptResult; readonly durationMs: number }[] = [];
  readonly publisher = new FakePublisher(this.steps);
  readonly log = new FakeLog(this.steps);
  readonly report = new FakeReport(this.steps);
  readonly attempts: AttemptDelivery;

  constructor({ form = aForm(), formThen = form, admits = true, receiver = anAnswer(200) }: Behaviour = {}) {
    this.attempts = new AttemptDelivery(
      new FormsAsTold([form, formThen]),
      new AdmissionAsTold(this, admits),
      new SenderAsTold(this, receiver),
      new Settlement(this.publisher, this.log, this.report),
      POLICY,
    );
  }

  /** The only record that was made, which must be a delivery's. */
  get record(): DeliveryRecord {
    const [record, ...others] = this.log.records;
    if (record?.kind !== 'delivery' || others.length > 0) throw new Error('not one record of a delivery');
    return record;
  }
}

class FormsAsTold implements DueFormLookup {
  private asked = 0;

  constructor(private readonly forms: readonly [FormEndpoints | Error, FormEndpoints | Error]) {}

  async lookupFor(): Promise<FormEndpoints> {
    return valueOf(this.forms[this.asked++ % 2]!);
  }
}

class AdmissionAsTold extends Admission {
  constructor(
    private readonly stage: AttemptStage,
    private readonly admits: true | Omit<Deferral, 'kind'>,
  ) {
    super();
  }

  override endLongWaits(): void {}

  override async enter(applicant: Applicant): Promise<Slot | Deferral> {
    this.stage.applicants.push(applicant);
    if (this.admits !== true) return { kind: 'deferral', ...this.admits };
    return {
      kind: 'slot',
      begin: () => this.stage.steps.push('begun'),
      giveBack: () => this.stage.steps.push('given back'),
      release: (result, durationMs) => {
        this.stage.released.push({ result, durationMs });
        this.stage.steps.push('released');
      },
    };
  }
}

class SenderAsTold extends AttemptSender {
  constructor(
    private readonly stage: AttemptStage,
    private readonly receiver: SentAttempt | Error,
  ) {
    super();
  }

  override async send(
    delivery: DeliveryMessage,
    endpoint: EndpointSnapshot,
    workspaceId: string,
  ): Promise<SentAttempt> {
    this.stage.sendings.push({ delivery, endpoint, workspaceId });
    this.stage.steps.push('sent');
    return valueOf(this.receiver);
  }
}

function valueOf<T>(told: T | Error): T {
  if (told instanceof Error) throw told;
  return told;
}

/** Config can't be asked. */
export const UNKNOWN = new FormUnknown('config does not answer');
