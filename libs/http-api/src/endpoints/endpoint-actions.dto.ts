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
    description: 'For how long the Standard Webhooks header carries the old signature as well',
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

export class AcceptedDeliveryDto {
  @ApiProperty({ description: 'Found in the delivery log at once' })
  delivery_id: string;
}
