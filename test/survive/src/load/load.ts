import {
  buildTail,
  deriveDeliveryId,
  deriveEventId,
  EMPTY_META,
  EVENT_NAMES,
  type EventName,
  type TailParts,
} from '@form-webhooks/domain';
import type { BehaviourName } from '../receivers/behaviours.js';
import { SeededRandom } from './random.js';

export interface Endpoint {
  readonly id: string;
  /** Unique in the run: the receivers' record knows an endpoint by it. */
  readonly path: string;
  readonly behaviour: BehaviourName;
}

export interface Form {
  readonly id: string;
  readonly endpoints: readonly Endpoint[];
}

/** An event as the form service knows it; everything about it follows from its marker. */
export interface LoadEvent {
  readonly marker: number;
  readonly form: Form;
  readonly name: EventName;
  readonly key: string;
  readonly parts: TailParts;
}

const PAYMENT = Buffer.from(JSON.stringify({ status: 'succeeded', amount: 4200, currency: 'eur' }));

/** The events of a run: the same seed and marker give the same event, so that nothing of them need be kept. */
export class Load {
  constructor(
    private readonly seed: number,
    readonly forms: readonly Form[],
  ) {}

  event(marker: number, form?: Form): LoadEvent {
    const random = new SeededRandom(this.seed * 0x9e3779b1 + marker);
    const drawn = random.pick(this.forms);
    const name = random.pick(EVENT_NAMES);
    const to = form ?? drawn;
    const key = this.keyOf(marker);
    return { marker, form: to, name, key, parts: partsOf(marker, to, name, fillOf(random)) };
  }

  /** One with so much text. */
  eventOfSize(marker: number, form: Form, textBytes: number): LoadEvent {
    const [name] = EVENT_NAMES;
    return { marker, form, name, key: this.keyOf(marker), parts: partsOf(marker, form, name, textOf(textBytes)) };
  }

  /** What every event must lead to: one delivery for each endpoint of its form, under these ids. */
  deliveriesOf({ form, name, key, parts }: LoadEvent): { readonly deliveryId: string; readonly endpoint: Endpoint }[] {
    const eventId = deriveEventId({ ...parts, event: name, key, tail: buildTail(parts) });
    return form.endpoints.map((endpoint) => ({ endpoint, deliveryId: deriveDeliveryId(eventId, endpoint.id) }));
  }

  private keyOf(marker: number): string {
    return `survive-${this.seed}-${marker}`;
  }
}

/** Mostly small, now and then large, as forms are. */
function fillOf(random: SeededRandom): string {
  const sample = random.next();
  const length = sample < 0.9 ? random.integer(20, 1_500) : sample < 0.999 ? random.integer(1_500, 16_000) : 200_000;
  return textOf(length);
}

const textOf = (bytes: number): string => 'ä€😀x'.repeat(Math.ceil(bytes / 10));

function partsOf(marker: number, form: Form, event: EventName, text: string): TailParts {
  return {
    formId: form.id,
    submissionId: `s_${marker}`,
    fields: Buffer.from(JSON.stringify({ marker, text })),
    ...(event === 'payment.succeeded' ? { payment: PAYMENT } : {}),
    meta: EMPTY_META,
  };
}

/** As the form service sends it. */
export function bodyOf({ name, parts: { formId, submissionId, fields, payment } }: LoadEvent): string {
  const ids = `"event":"${name}","form_id":"${formId}","submission_id":"${submissionId}"`;
  return `{${ids},"fields":${fields.toString()}${payment ? `,"payment":${payment.toString()}` : ''}}`;
}
