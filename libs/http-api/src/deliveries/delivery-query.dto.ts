import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { ArrayNotEmpty, IsArray, IsIn, IsInt, Max, Min } from 'class-validator';
import {
  DELIVERY_STATES,
  ERROR_CODES,
  REASONS,
  STATUS_CLASSES,
  TRIGGERS,
  type DeliveryState,
  type ErrorCode,
  type Reason,
  type StatusClass,
  type Trigger,
} from '@form-webhooks/domain/enumerations';
import { LOG_ORDERS, TOTAL_PRECISIONS, type LogOrder, type TotalPrecision } from '../enumerations.js';
import { ANY_ID_FORMAT, DELIVERY_ID_FORMAT, ENDPOINT_ID_FORMAT } from '@form-webhooks/domain';
import { HasFormat } from '../http/formats.js';
import { LogQueryDto } from '../http/log-query.dto.js';
import { AsList, FromDigits, MayBeAbsent, HasNoRepeats } from '../http/rules.js';

/** Which deliveries of a form; all conditions hold together. */
export class DeliveryQueryDto extends LogQueryDto {
  @ApiPropertyOptional()
  @MayBeAbsent()
  @HasFormat(ENDPOINT_ID_FORMAT)
  endpoint_id?: string;

  @ApiPropertyOptional({ enum: DELIVERY_STATES, isArray: true, description: 'One of these; given once for each' })
  @MayBeAbsent()
  @AsList()
  @IsArray()
  @ArrayNotEmpty()
  @HasNoRepeats()
  @IsIn(DELIVERY_STATES, { each: true })
  state?: DeliveryState[];

  @ApiPropertyOptional({
    enum: REASONS,
    isArray: true,
    description: 'Failed or cancelled because of one of these; given once for each',
  })
  @MayBeAbsent()
  @AsList()
  @IsArray()
  @ArrayNotEmpty()
  @HasNoRepeats()
  @IsIn(REASONS, { each: true })
  reason?: Reason[];

  @ApiPropertyOptional({
    enum: TRIGGERS,
    isArray: true,
    description: 'Who asked for it last: what happened, a test send, or a replay; given once for each',
  })
  @MayBeAbsent()
  @AsList()
  @IsArray()
  @ArrayNotEmpty()
  @HasNoRepeats()
  @IsIn(TRIGGERS, { each: true })
  trigger?: Trigger[];

  @ApiPropertyOptional({
    pattern: ANY_ID_FORMAT.pattern.source,
    description: 'Part of the id of the delivery, of its event or of its submission, as it is written',
  })
  @MayBeAbsent()
  @HasFormat(ANY_ID_FORMAT)
  text?: string;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @HasFormat(DELIVERY_ID_FORMAT)
  delivery_id?: string;

  @ApiPropertyOptional({ description: 'Of the latest attempt', minimum: 100, maximum: 999 })
  @MayBeAbsent()
  @FromDigits()
  @IsInt()
  @Min(100)
  @Max(999)
  response_status?: number;

  @ApiPropertyOptional({ enum: STATUS_CLASSES, description: 'Of the latest attempt: any status of these hundred' })
  @MayBeAbsent()
  @IsIn(STATUS_CLASSES)
  response_class?: StatusClass;

  @ApiPropertyOptional({ enum: ERROR_CODES, description: 'The error code of the latest attempt' })
  @MayBeAbsent()
  @IsIn(ERROR_CODES)
  error?: ErrorCode;

  @ApiPropertyOptional({
    minimum: 1,
    maximum: 1_000,
    description: 'With at least so many attempts, all generations together',
  })
  @MayBeAbsent()
  @FromDigits()
  @IsInt()
  @Min(1)
  @Max(1_000)
  min_attempts?: number;

  @ApiPropertyOptional({ enum: LOG_ORDERS, default: LOG_ORDERS[0], description: 'Newest or oldest first' })
  @MayBeAbsent()
  @IsIn(LOG_ORDERS)
  order?: LogOrder;
}

const OF_A_PAGE = ['cursor', 'limit', 'order'] as const;
/** Its type names no part of Nest: shapes are read where there is none. */
const ConditionsDto: new () => Omit<DeliveryQueryDto, (typeof OF_A_PAGE)[number]> = OmitType(
  DeliveryQueryDto,
  OF_A_PAGE,
);

/** The conditions alone. */
export class DeliveryTotalQueryDto extends ConditionsDto {}

export class DeliveryTotalDto {
  @ApiProperty({ type: Number, nullable: true, description: 'Deliveries that match; null if it is unknown' })
  total: number | null;

  @ApiProperty({
    enum: TOTAL_PRECISIONS,
    description:
      '`exact` up to 10,000. Beyond: `approximate` if hourly counts tell (whole hours, without test sends), else ' +
      '`at_least`. `unknown` if few match and looking for them would take too long',
  })
  precision: TotalPrecision;
}
