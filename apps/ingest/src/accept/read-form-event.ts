import {
  decodeRawString,
  EMPTY_META,
  FORM_EVENT_MEMBERS,
  InvalidJson,
  readRawMembers,
  type EventName,
  type FormEvent,
  type FormEventMember,
  type FormId,
  type RawMember,
  type RawValue,
  type SubmissionId,
} from '@form-webhooks/domain';
import { validateSync, type ValidationError } from 'class-validator';
import { doorFaults, type DoorFacts } from './door-facts.js';
import { EventBody, MetaBody, PaymentBody } from './event-body.js';
import { isFaultless } from './is-faultless.js';
import type { FaultCode, FieldError, Refusal } from './refusal.js';

export type FormEventReading =
  { readonly ok: true; readonly event: FormEvent } | { readonly ok: false; readonly refusal: Refusal };

const MAX_ERRORS = 50;
const MAX_SHOWN_NAME = 64;
const PAYMENT_MEMBERS = ['status', 'amount', 'currency'] as const;
const META_MEMBERS = ['ip', 'user_agent', 'locale'] as const;

/** Reads an event out of the bytes that came through a door; whatever is wrong with it is found at once. */
export function readFormEvent(bytes: Buffer, facts: DoorFacts): FormEventReading {
  let members: readonly RawMember[];
  try {
    members = readRawMembers(bytes);
  } catch (error) {
    if (error instanceof InvalidJson) return { ok: false, refusal: unreadable(error) };
    throw error;
  }
  const given = new Map(members.map(({ name, value }) => [name, value]));
  const body = bodyOf(given);
  const errors = [
    ...memberFaults(members),
    ...faultsOf(body),
    ...nestedFaults(given, body.event),
    ...doorFaults(facts, body),
  ];
  if (errors.length > 0) return { ok: false, refusal: { kind: 'invalid', errors: errors.slice(0, MAX_ERRORS) } };
  return { ok: true, event: eventOf(given, body, facts) };
}

function unreadable({ code, message }: InvalidJson): Refusal {
  if (code !== 'not_an_object') return { kind: 'unreadable', code, message };
  return { kind: 'invalid', errors: [{ field: '', code, message: 'the body must be a JSON object' }] };
}

/** Copies by the names that we know, never by those that a stranger chose. */
function bodyOf(given: ReadonlyMap<string, RawValue>): EventBody {
  const body = new EventBody();
  body.event = valueOf(given.get('event'));
  body.form_id = valueOf(given.get('form_id'));
  body.submission_id = valueOf(given.get('submission_id'));
  body.fields = valueOf(given.get('fields'));
  body.payment = unlessNull(given.get('payment'));
  body.meta = unlessNull(given.get('meta'));
  body.idempotency_key = valueOf(unlessNull(given.get('idempotency_key')));
  return body;
}

/** A string decoded, anything else as its raw text. */
const valueOf = (raw: RawValue | undefined): unknown => (raw?.kind === 'string' ? decodeRawString(raw.bytes) : raw);

const unlessNull = (raw: RawValue | undefined): RawValue | undefined => (raw?.kind === 'null' ? undefined : raw);

function memberFaults(members: readonly RawMember[]): FieldError[] {
  const seen = new Set<string>();
  const faults: FieldError[] = [];
  for (const { name } of members) {
    if (seen.has(name)) faults.push(duplicateMember(shown(name)));
    else if (!FORM_EVENT_MEMBERS.includes(name as FormEventMember)) faults.push(unknownMember(shown(name)));
    seen.add(name);
    if (faults.length >= MAX_ERRORS) break;
  }
  return faults;
}

const duplicateMember = (field: string): FieldError => ({
  field,
  code: 'duplicate_member',
  message: `${field} is given more than once`,
});

const unknownMember = (field: string): FieldError => ({
  field,
  code: 'unknown_member',
  message: `${field} is no member of an event; known are ${FORM_EVENT_MEMBERS.join(', ')}`,
});

/** A stranger's name, fit for a message: short and printable. */
function shown(name: string): string {
  const printable = name.replace(/[^\x20-\x7e]/g, '?');
  return printable.length > MAX_SHOWN_NAME ? `${printable.slice(0, MAX_SHOWN_NAME)}…` : printable;
}

function nestedFaults(given: ReadonlyMap<string, RawValue>, event: unknown): FieldError[] {
  const faults: FieldError[] = [];
  const payment = given.get('payment');
  if (payment?.kind === 'object') {
    const body = new PaymentBody(event === 'payment.succeeded');
    const occurrences = occurrencesIn(payment, PAYMENT_MEMBERS);
    for (const name of PAYMENT_MEMBERS) body[name] = occurrences[name];
    faults.push(...faultsOf(body, 'payment.'));
  }
  const meta = given.get('meta');
  if (meta?.kind === 'object') {
    const body = new MetaBody();
    const occurrences = occurrencesIn(meta, META_MEMBERS);
    for (const name of META_MEMBERS) body[name] = occurrences[name];
    faults.push(...faultsOf(body, 'meta.'));
  }
  return faults;
}

/** All values of the known names within an object; null counts as missing. */
function occurrencesIn<N extends string>(object: RawValue, names: readonly N[]): Record<N, unknown[]> {
  const found = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<N, unknown[]>;
  for (const { name, value } of readRawMembers(object.bytes)) {
    const known = names.find((candidate) => candidate === name);
    if (known !== undefined && value.kind !== 'null') found[known].push(valueOf(value));
  }
  return found;
}

function faultsOf(body: object, prefix = ''): FieldError[] {
  if (isFaultless(body)) return [];
  return validateSync(body, { stopAtFirstError: true }).map((error) => ({
    field: prefix + error.property,
    ...faultOf(error),
  }));
}

function faultOf({ constraints = {}, contexts = {} }: ValidationError): { code: FaultCode; message: string } {
  const [name = '', message = ''] = Object.entries(constraints)[0] ?? [];
  const context = contexts[name] as { code: FaultCode } | undefined;
  return { code: context?.code ?? 'invalid_type', message };
}

function eventOf(given: ReadonlyMap<string, RawValue>, body: EventBody, facts: DoorFacts): FormEvent {
  const payment = unlessNull(given.get('payment'));
  const key = facts.key ?? (body.idempotency_key as string | undefined);
  return {
    event: body.event as EventName,
    formId: body.form_id as FormId,
    submissionId: body.submission_id as SubmissionId,
    fields: given.get('fields')!.bytes,
    ...(payment ? { payment: payment.bytes } : {}),
    meta: unlessNull(given.get('meta'))?.bytes ?? EMPTY_META,
    ...(key === undefined ? {} : { key }),
  };
}
