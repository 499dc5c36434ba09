import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Max,
  MaxLength,
  Min,
  NotEquals,
} from 'class-validator';
import { EVENT_NAMES, type EventName } from '@form-webhooks/domain/enumerations';
import { MayBeAbsent, MayBeNull, PlainText, HasNoRepeats } from '../http/rules.js';

const MAX_DESCRIPTION = 500;
/** Longer than any URL that passes the check, which then says what is wrong with this one. */
const MAX_URL = 8_192;
/** More and longer than any installation allows, which then says what is wrong with them. */
const MAX_DELAYS_READ = 100;
const MAX_DELAY_READ = 32;

const HEADERS_DESCRIPTION =
  'Headers that its requests carry, such as `Authorization` for a gateway: names of at most 64 characters with values of ' +
  'at most 1024 visible ASCII or Latin-1 characters, 20 at most. Names of the connection, the signature and this service are refused. ' +
  'Values are stored sealed and never shown again. The check of the URL is made without them.';

const RETRY_SCHEDULE_DESCRIPTION =
  'Its own delays between attempts, in place of those of the installation, which null stands for: n delays allow n + 1 ' +
  'attempts. Each is a whole number and a unit (s, m, h); how many there may be, and how long, the installation says. ' +
  'What it makes of one is never shorter, and longer by up to three tenths, and then by up to a tenth or 2 s';

const RATE_LIMIT_DESCRIPTION =
  'Attempts a second that it gets at most, test sends included, evenly spaced; null for as many as it takes. What comes ' +
  'faster waits and uses up no try';

/** What an owner may set of an endpoint, when it is made and later. */
abstract class EndpointOptionsDto {
  @ApiPropertyOptional({
    type: [Number],
    nullable: true,
    minimum: 400,
    maximum: 499,
    description:
      'Statuses of 4xx after which a delivery is tried again, in place of those of the installation, which null stands ' +
      'for. Every 5xx is tried again in any case, and 410 never',
    example: [404, 429],
  })
  @MayBeNull()
  @IsArray()
  @ArrayMaxSize(100)
  @HasNoRepeats()
  @IsInt({ each: true })
  @Min(400, { each: true })
  @Max(499, { each: true })
  @NotEquals(410, { each: true })
  retry_statuses?: number[] | null;

  @ApiPropertyOptional({
    default: false,
    description: 'Whether a 3xx counts as received, also in the check of the URL; no redirect is ever followed',
  })
  @MayBeAbsent()
  @IsBoolean()
  redirect_is_success?: boolean;

  @ApiPropertyOptional({
    type: [String],
    nullable: true,
    description: RETRY_SCHEDULE_DESCRIPTION,
    example: ['30s', '5m', '1h'],
  })
  @MayBeNull()
  @IsArray()
  @ArrayMaxSize(MAX_DELAYS_READ)
  @IsString({ each: true })
  @MaxLength(MAX_DELAY_READ, { each: true })
  retry_schedule?: string[] | null;

  @ApiPropertyOptional({
    type: Number,
    format: 'double',
    nullable: true,
    minimum: 0.1,
    maximum: 1_000,
    description: RATE_LIMIT_DESCRIPTION,
    example: 5,
  })
  @MayBeNull()
  @IsNumber({ maxDecimalPlaces: 3 }, { message: '$property must be a number with at most 3 decimal places' })
  @Min(0.1)
  @Max(1_000)
  rate_limit?: number | null;

  @ApiPropertyOptional({
    default: false,
    description: 'Lets the form have the URL twice; otherwise 409 `url_in_use` names the endpoint that has it',
  })
  @MayBeAbsent()
  @IsBoolean()
  allow_duplicate_url?: boolean;
}

export class UpdateEndpointDto extends EndpointOptionsDto {
  @ApiPropertyOptional({
    description: 'HTTPS; checked before it is stored',
    example: 'https://hooks.example.com/forms',
  })
  @MayBeAbsent()
  @IsString()
  @MaxLength(MAX_URL)
  url?: string;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_DESCRIPTION })
  @MayBeNull()
  @PlainText(MAX_DESCRIPTION)
  description?: string | null;

  @ApiPropertyOptional({ enum: EVENT_NAMES, isArray: true, description: 'Which events it gets' })
  @MayBeAbsent()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(EVENT_NAMES.length)
  @HasNoRepeats()
  @IsIn(EVENT_NAMES, { each: true })
  events?: EventName[];

  @ApiPropertyOptional({ description: 'A disabled endpoint gets nothing but test sends' })
  @MayBeAbsent()
  @IsBoolean()
  enabled?: boolean;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string', nullable: true },
    writeOnly: true,
    example: { Authorization: 'Bearer …', 'X-Old': null },
    description:
      `${HEADERS_DESCRIPTION} Null removes one, and those that are not named stay; ` +
      'a URL of another origin needs each of them given again or removed',
  })
  @MayBeAbsent()
  @IsObject()
  headers?: Readonly<Record<string, string | null>>;
}

export class CreateEndpointDto extends EndpointOptionsDto {
  @ApiProperty({ description: 'HTTPS; checked before it is stored', example: 'https://hooks.example.com/forms' })
  @IsString()
  @MaxLength(MAX_URL)
  url: string;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_DESCRIPTION })
  @MayBeNull()
  @PlainText(MAX_DESCRIPTION)
  description?: string | null;

  @ApiPropertyOptional({ enum: EVENT_NAMES, isArray: true, description: 'Which events it gets; all by default' })
  @MayBeAbsent()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(EVENT_NAMES.length)
  @HasNoRepeats()
  @IsIn(EVENT_NAMES, { each: true })
  events?: EventName[];

  @ApiPropertyOptional({ default: true })
  @MayBeAbsent()
  @IsBoolean()
  enabled?: boolean;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    writeOnly: true,
    example: { Authorization: 'Bearer …' },
    description: HEADERS_DESCRIPTION,
  })
  @MayBeAbsent()
  @IsObject()
  headers?: Readonly<Record<string, string>>;
}

export class EndpointDto {
  @ApiProperty()
  id: string;

  @ApiProperty()
  form_id: string;

  @ApiProperty({ description: 'In canonical form' })
  url: string;

  @ApiProperty({ type: String, nullable: true })
  description: string | null;

  @ApiProperty({ enum: EVENT_NAMES, isArray: true })
  events: EventName[];

  @ApiProperty()
  enabled: boolean;

  @ApiProperty({
    type: String,
    enum: ['owner', 'gone', null],
    nullable: true,
    description: '`gone`: its receiver answered 410',
  })
  disabled_reason: 'owner' | 'gone' | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Since when it is off; null while it is on, and if it was off before this was noted',
  })
  disabled_at: string | null;

  @ApiProperty({
    type: [String],
    description:
      'The names, in lower case, of the headers that its owner added; each has a value, which is never shown',
    example: ['authorization'],
  })
  header_names: string[];

  @ApiProperty({
    type: [Number],
    nullable: true,
    description: 'Statuses of 4xx after which a delivery is tried again; null for those of the installation',
  })
  retry_statuses: number[] | null;

  @ApiProperty({ description: 'Whether a 3xx counts as received' })
  redirect_is_success: boolean;

  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'Its own delays between attempts; null for those of the installation',
    example: ['30s', '5m', '1h'],
  })
  retry_schedule: string[] | null;

  @ApiProperty({ description: 'Attempts that a delivery has by its schedule, or by that of the installation' })
  attempts_allowed: number;

  @ApiProperty({
    type: Number,
    format: 'double',
    nullable: true,
    description: 'Attempts a second at most; null for as many as it takes',
  })
  rate_limit: number | null;

  @ApiProperty({ description: 'Grows with every change; the ETag' })
  version: number;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ format: 'date-time' })
  updated_at: string;

  @ApiProperty({ description: 'The end of the signing secret, to tell two apart', example: 'whsec_…4fK=' })
  secret_hint: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  last_delivery_at: string | null;
}

/** An endpoint with a secret that is shown this once. */
export class EndpointWithSecretDto extends EndpointDto {
  @ApiProperty({ type: String, nullable: true, description: 'Shown once; null if it was shown when it was prepared' })
  secret: string | null;
}

export class EndpointListDto {
  @ApiProperty({ type: [EndpointDto] })
  items: EndpointDto[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
