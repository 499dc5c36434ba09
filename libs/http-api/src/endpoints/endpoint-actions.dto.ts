import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsObject, Max, Min } from 'class-validator';
import { EVENT_NAMES, type EventName } from '@form-webhooks/domain/enumerations';
import { IsJsonWithin, MayBeAbsent } from '../http/rules.js';
import { EndpointWithSecretDto } from './endpoint.dto.js';
import { MAX_TEST_FIELDS_BYTES, SAMPLE_FIELDS } from './sample-fields.js';

export const MAX_OVERLAP_SECONDS = 7 * 86_400;

export class RegenerateSecretDto {
  @ApiPropertyOptional({
    minimum: 0,
    maximum: MAX_OVERLAP_SECONDS,
    default: 0,
    description:
      'For how long the Standard Webhooks header carries the old signature as well. What an earlier call promised stays',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(MAX_OVERLAP_SECONDS)
  overlap_seconds?: number;
}

/** What is known of a signing secret without showing it. */
export class SecretDto {
  @ApiProperty({ description: 'Names it in calls; it tells nothing of the secret' })
  id: string;

  @ApiProperty({ description: 'Its end, to tell two apart', example: 'whsec_…4fK=' })
  hint: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Who made it; null if it was not noted',
    example: 'user:u_42',
  })
  created_by: string | null;

  @ApiProperty({ format: 'date-time', description: 'Since when it is prepared, signs, or is on its way out' })
  since: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'The end of its overlap' })
  expires_at: string | null;
}

export class SecretOverlapDto {
  @ApiProperty({
    minimum: 0,
    maximum: MAX_OVERLAP_SECONDS,
    description:
      'For how long from now on it still signs beside the present one; 0 ends it at once. It never ends more than ' +
      `${MAX_OVERLAP_SECONDS / 86_400} days after it was replaced: what goes beyond that is cut, see \`expires_at\``,
  })
  @IsInt()
  @Min(0)
  @Max(MAX_OVERLAP_SECONDS)
  overlap_seconds: number;
}

export class SecretStateDto {
  @ApiProperty({ type: SecretDto, description: 'The one that signs' })
  current: SecretDto;

  @ApiProperty({
    type: SecretDto,
    nullable: true,
    description: 'The one that the next regeneration makes the signing one',
  })
  prepared: SecretDto | null;

  @ApiProperty({
    type: [SecretDto],
    description: 'Earlier ones that still sign beside it, the one that ends first first',
  })
  previous: SecretDto[];

  @ApiProperty({ type: [SecretDto], description: 'What another preparation would end: what was prepared before' })
  prepare_ends: SecretDto[];

  @ApiProperty({
    type: [SecretDto],
    description:
      'What a regeneration without an overlap would end at once. With one it would stay valid for it; those in ' +
      '`previous` keep their ends in any case',
  })
  regenerate_ends: SecretDto[];
}

/** An endpoint after a step of its secret's rotation. */
export class RotatedSecretDto extends EndpointWithSecretDto {
  @ApiProperty({
    type: [SecretDto],
    description: 'The secrets that this step has ended: what is signed with them is refused',
  })
  ended: SecretDto[];
}

export class TestSendDto {
  @ApiPropertyOptional({ enum: EVENT_NAMES, default: EVENT_NAMES[0] })
  @MayBeAbsent()
  @IsIn(EVENT_NAMES)
  event?: EventName;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    example: SAMPLE_FIELDS,
    description:
      `What it carries as the form's fields, at most ${MAX_TEST_FIELDS_BYTES / 1_024} KiB as JSON; a sample if it is left out. ` +
      'Numbers are read as JavaScript reads them. Do not send what a real person has submitted',
  })
  @MayBeAbsent()
  @IsObject()
  @IsJsonWithin(MAX_TEST_FIELDS_BYTES)
  fields?: Readonly<Record<string, unknown>>;
}

/** Why an endpoint gets no such event unless it is a test. */
const TEST_WARNINGS = ['endpoint_disabled', 'event_not_selected'] as const;
export type TestWarning = (typeof TEST_WARNINGS)[number];

export class TestWarningDto {
  @ApiProperty({ enum: TEST_WARNINGS })
  code: TestWarning;

  @ApiProperty()
  message: string;
}

export class AcceptedDeliveryDto {
  @ApiProperty({ description: 'Found in the delivery log at once' })
  delivery_id: string;
}

export class AcceptedTestDto extends AcceptedDeliveryDto {
  @ApiProperty({
    type: [TestWarningDto],
    description: 'Why the endpoint would not get such an event now, though it gets this test; empty if it would',
  })
  warnings: TestWarningDto[];
}
