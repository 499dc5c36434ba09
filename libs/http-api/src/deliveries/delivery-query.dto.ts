import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, Matches, Max, Min } from 'class-validator';
import { DELIVERY_ID_PATTERN, ENDPOINT_ID_PATTERN, SUBMISSION_ID_PATTERN } from '@form-webhooks/domain';
import {
  DELIVERY_STATES,
  ERROR_CODES,
  EVENT_NAMES,
  type DeliveryState,
  type ErrorCode,
  type EventName,
} from '@form-webhooks/domain/enumerations';
import { PageQueryDto } from '../http/page.dto.js';
import { FromDigits, IsMoment, MayBeAbsent } from '../http/rules.js';

/** Which deliveries of a form; all conditions hold together. */
export class DeliveryQueryDto extends PageQueryDto {
  @ApiPropertyOptional()
  @MayBeAbsent()
  @Matches(ENDPOINT_ID_PATTERN)
  endpoint_id?: string;

  @ApiPropertyOptional({ enum: DELIVERY_STATES })
  @MayBeAbsent()
  @IsIn(DELIVERY_STATES)
  state?: DeliveryState;

  @ApiPropertyOptional({ enum: EVENT_NAMES })
  @MayBeAbsent()
  @IsIn(EVENT_NAMES)
  event?: EventName;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @Matches(SUBMISSION_ID_PATTERN)
  submission_id?: string;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @Matches(DELIVERY_ID_PATTERN)
  delivery_id?: string;

  @ApiPropertyOptional({ description: 'Of the latest attempt', minimum: 100, maximum: 999 })
  @MayBeAbsent()
  @FromDigits()
  @IsInt()
  @Min(100)
  @Max(999)
  response_status?: number;

  @ApiPropertyOptional({ enum: ERROR_CODES, description: 'The error code of the latest attempt' })
  @MayBeAbsent()
  @IsIn(ERROR_CODES)
  error?: ErrorCode;

  @ApiPropertyOptional({ format: 'date-time', description: 'Accepted at or after' })
  @MayBeAbsent()
  @IsMoment()
  from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Accepted before' })
  @MayBeAbsent()
  @IsMoment()
  to?: string;
}
