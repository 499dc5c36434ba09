import { applyDecorators } from '@nestjs/common';
import { isMoment } from '@form-webhooks/domain';
import { Transform } from 'class-transformer';
import {
  ArrayUnique,
  IsString,
  MaxLength,
  registerDecorator,
  ValidateIf,
  type ValidationOptions,
} from 'class-validator';

/** The member may be left out; if it is there, even as null, every other rule holds. */
export const MayBeAbsent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** The member may be null or left out. */
export const MayBeNull = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined && value !== null);

// What PostgreSQL can't store or a log line can't show. Line breaks and tabs are fine in a description.

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Text that people write: well-formed, without control characters, of bounded length. */
export function PlainText(maxLength: number): PropertyDecorator {
  return applyDecorators(
    IsString(),
    MaxLength(maxLength),
    rule('isPlainText', (value) => typeof value !== 'string' || (!CONTROL.test(value) && !LONE_SURROGATE.test(value)), {
      message: '$property contains characters that can not be stored',
    }),
  );
}

/** A list in which nothing stands twice. class-validator's own words for it are none that people use. */
export const HasNoRepeats = (): PropertyDecorator => ArrayUnique({ message: '$property must name each value once' });

const RFC3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

/** A moment as RFC 3339 writes it, with its offset: of a day that there is, and in UTC of the years 1970 to 9999. */
export const IsMoment = (): PropertyDecorator =>
  rule('isRfc3339', (value) => typeof value === 'string' && isMomentText(value), {
    message: '$property must be an RFC 3339 time of the years 1970 to 9999 such as 2026-11-27T12:00:00Z',
  });

const isMomentText = (text: string): boolean =>
  RFC3339.test(text) && isMoment(Date.parse(text)) && isRealDay(text.slice(0, 10));

/** JavaScript takes the 30th of February for the 2nd of March. */
function isRealDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

/** What takes no more than so many bytes as JSON in UTF-8. */
export const IsJsonWithin = (maxBytes: number): PropertyDecorator =>
  rule('isJsonWithin', (value) => new TextEncoder().encode(JSON.stringify(value)).length <= maxBytes, {
    message: `$property must have at most ${maxBytes} bytes as JSON`,
  });

/** The name of a time zone as the IANA database has it; no offset, which would be wrong for half of the year. */
export const IsTimezone = (): PropertyDecorator =>
  rule('isTimezone', (value) => typeof value === 'string' && isTimezone(value), {
    message: '$property must be the name of a time zone such as Europe/Berlin or UTC',
  });

/** What such a name can look like. */
export const TIMEZONE_PATTERN = /^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/;

function isTimezone(name: string): boolean {
  if (!TIMEZONE_PATTERN.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Reads a whole number out of a query; anything else stays as it is, for the rules to refuse. */
export const FromDigits = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
  );

/** Reads one value of a query that may be given several times as a list of one. */
export const AsList = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value));

function rule(name: string, holds: (value: unknown) => boolean, options: ValidationOptions): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(property),
      options,
      validator: { validate: holds },
    });
}
