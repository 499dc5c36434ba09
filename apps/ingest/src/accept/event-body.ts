import {
  EVENT_NAMES,
  FORM_ID_FORMAT,
  IDEMPOTENCY_KEY_FORMAT,
  SUBMISSION_ID_FORMAT,
  type RawValue,
  type TextFormat,
} from '@form-webhooks/domain';
import {
  ArrayMinSize,
  IsDefined,
  IsIn,
  IsString,
  Matches,
  ValidateBy,
  ValidateIf,
  type ValidationOptions,
} from 'class-validator';
import type { FaultCode } from './refusal.js';

/*
 * Decorators are checked from the property upwards, and the first that fails is the one reported: a missing member is
 * "required", not also "no string". Strings come decoded, everything else as its raw text (`RawValue`), so that a
 * number is judged as it was written.
 */

const fault = (code: FaultCode, message: string): ValidationOptions => ({ message, context: { code } });

const isRaw = (value: unknown): value is RawValue => typeof value === 'object' && value !== null && 'kind' in value;

const IsObjectText = (options: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    { name: 'isObjectText', validator: { validate: (value) => isRaw(value) && value.kind === 'object' } },
    options,
  );

const INTEGER = /^-?(0|[1-9]\d*)$/;

/** An integer in its text too: `42.0` and `1e2` are numbers that a receiver's parser may read as no integer. */
const IsIntegerText = (options: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isIntegerText',
      validator: {
        validate: (value) => isRaw(value) && value.kind === 'number' && INTEGER.test(value.bytes.toString('latin1')),
      },
    },
    options,
  );

const HasFormat = ({ pattern, words }: TextFormat): PropertyDecorator =>
  Matches(pattern, fault('invalid_format', `$property must be ${words}`));

/** A member that may be left out. */
const Optional = (): PropertyDecorator => ValidateIf((_body, value) => value !== undefined);

/** The event's members as the form service sent them, `null` as `undefined` where null counts as missing. */
export class EventBody {
  @IsIn(EVENT_NAMES, fault('unknown_event', `event must be one of ${EVENT_NAMES.join(', ')}`))
  @IsString(fault('invalid_type', 'event must be a string'))
  @IsDefined(fault('required', 'event is required'))
  event: unknown;

  @HasFormat(FORM_ID_FORMAT)
  @IsString(fault('invalid_type', 'form_id must be a string'))
  @IsDefined(fault('required', 'form_id is required'))
  form_id: unknown;

  @HasFormat(SUBMISSION_ID_FORMAT)
  @IsString(fault('invalid_type', 'submission_id must be a string'))
  @IsDefined(fault('required', 'submission_id is required'))
  submission_id: unknown;

  @IsObjectText(fault('invalid_type', 'fields must be an object (it may be {})'))
  @IsDefined(fault('required', 'fields is required (it may be {})'))
  fields: unknown;

  @IsObjectText(fault('invalid_type', 'payment must be an object'))
  @IsDefined(fault('required', 'payment is required on payment.succeeded'))
  @ValidateIf((body: EventBody) => body.event === 'payment.succeeded' || body.payment !== undefined)
  payment: unknown;

  @IsObjectText(fault('invalid_type', 'meta must be an object'))
  @Optional()
  meta: unknown;

  @HasFormat(IDEMPOTENCY_KEY_FORMAT)
  @IsString(fault('invalid_type', 'idempotency_key must be a string'))
  @Optional()
  idempotency_key: unknown;
}

/**
 * The members of `payment` that have a meaning, each with all its occurrences: its text reaches receivers as it is,
 * and of a repeated name one parser takes the first and another the last, so every one must be right.
 */
export class PaymentBody {
  @IsString({ each: true, ...fault('invalid_type', 'payment.status must be a string') })
  @ArrayMinSize(1, fault('required', 'payment.status is required on payment.succeeded'))
  @ValidateIf(isWanted)
  status: readonly unknown[];

  @IsIntegerText({ each: true, ...fault('invalid_type', 'payment.amount must be an integer, written without . or e') })
  @ArrayMinSize(1, fault('required', 'payment.amount is required on payment.succeeded'))
  @ValidateIf(isWanted)
  amount: readonly unknown[];

  @Matches(/^[a-z]{3}$/, {
    each: true,
    ...fault('invalid_format', 'payment.currency must be three lower-case letters'),
  })
  @IsString({ each: true, ...fault('invalid_type', 'payment.currency must be a string') })
  @ArrayMinSize(1, fault('required', 'payment.currency is required on payment.succeeded'))
  @ValidateIf(isWanted)
  currency: readonly unknown[];

  /** @param complete all members must be there: on `payment.succeeded`; else only what is there is judged */
  constructor(readonly complete: boolean) {}
}

function isWanted(body: PaymentBody, value: readonly unknown[]): boolean {
  return body.complete || value.length > 0;
}

/** The members of `meta` that have a meaning, each with all its occurrences. */
export class MetaBody {
  @IsString({ each: true, ...fault('invalid_type', 'meta.ip must be a string') })
  ip: readonly unknown[];

  @IsString({ each: true, ...fault('invalid_type', 'meta.user_agent must be a string') })
  user_agent: readonly unknown[];

  @IsString({ each: true, ...fault('invalid_type', 'meta.locale must be a string') })
  locale: readonly unknown[];
}
