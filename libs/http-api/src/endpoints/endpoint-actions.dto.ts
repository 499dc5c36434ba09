import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import { EVENT_NAMES, type EventName } from '@form-webhooks/domain/enumerations';
import { MayBeAbsent } from '../http/rules.js';

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

export class TestSendDto {
  @ApiPropertyOptional({ enum: EVENT_NAMES, default: EVENT_NAMES[0] })
  @MayBeAbsent()
  @IsIn(EVENT_NAMES)
  event?: EventName;
}

/** Why an endpoint gets no such event unless it is a test. */
export const TEST_WARNINGS = ['endpoint_disabled', 'event_not_selected'] as const;
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
