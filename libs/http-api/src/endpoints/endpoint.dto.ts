import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsString,
  MaxLength,
} from 'class-validator';
import { EVENT_NAMES, type EventName } from '@form-webhooks/domain/enumerations';
import { MayBeAbsent, MayBeNull, PlainText } from '../http/rules.js';

const MAX_DESCRIPTION = 500;
/** Longer than any URL that passes the check, which then says what is wrong with this one. */
const MAX_URL = 8_192;

export class UpdateEndpointDto {
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
  @ArrayUnique()
  @IsIn(EVENT_NAMES, { each: true })
  events?: EventName[];

  @ApiPropertyOptional({ description: 'A disabled endpoint gets nothing but test sends' })
  @MayBeAbsent()
  @IsBoolean()
  enabled?: boolean;
}

export class CreateEndpointDto {
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
  @ArrayUnique()
  @IsIn(EVENT_NAMES, { each: true })
  events?: EventName[];

  @ApiPropertyOptional({ default: true })
  @MayBeAbsent()
  @IsBoolean()
  enabled?: boolean;
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
