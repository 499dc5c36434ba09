import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsIn, IsObject, ValidateNested } from 'class-validator';
import { REASONS, TRIGGERS, type Reason, type Trigger } from '@form-webhooks/domain/enumerations';
import { DeliveryQueryDto } from '../deliveries/delivery-query.dto.js';
import { REPLAY_STATES, REPLAYABLE_STATES, type ReplayableState, type ReplayState } from '../enumerations.js';
import { DELIVERY_ID_FORMAT } from '@form-webhooks/domain';
import { HasFormat } from '../http/formats.js';
import { MayBeAbsent, HasNoRepeats } from '../http/rules.js';

const LEFT_OUT = ['cursor', 'limit', 'order', 'delivery_id', 'state', 'reason', 'trigger'] as const;

/** As many ids as fit into a body; a filter chooses more. */
const MAX_NAMED = 1_000;

/** Its type names no part of Nest: shapes are read where there is none. */
const SharedFilterDto: new () => Omit<DeliveryQueryDto, (typeof LEFT_OUT)[number]> = OmitType(
  DeliveryQueryDto,
  LEFT_OUT,
);

/** Which deliveries are replayed; the state must be named, so that nobody sends out all that was delivered by oversight. */
export class ReplayFilterDto extends SharedFilterDto {
  @ApiProperty({ enum: REPLAYABLE_STATES })
  @IsIn(REPLAYABLE_STATES)
  state: ReplayableState;

  @ApiPropertyOptional({ enum: REASONS, isArray: true, description: 'Failed or cancelled because of one of these' })
  @MayBeAbsent()
  @IsArray()
  @ArrayNotEmpty()
  @HasNoRepeats()
  @IsIn(REASONS, { each: true })
  reason?: Reason[];

  @ApiPropertyOptional({ enum: TRIGGERS, isArray: true, description: 'Test sends are never replayed' })
  @MayBeAbsent()
  @IsArray()
  @ArrayNotEmpty()
  @HasNoRepeats()
  @IsIn(TRIGGERS, { each: true })
  trigger?: Trigger[];
}

/** What is to be replayed: by a filter, or by name. One of the two. */
export class CreateReplayDto {
  @ApiPropertyOptional({ type: ReplayFilterDto, description: 'As in the delivery list; or else `delivery_ids`' })
  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Type(() => ReplayFilterDto)
  filter?: ReplayFilterDto;

  @ApiPropertyOptional({
    type: [String],
    description: 'These alone, as far as they are final and can be sent again; or else `filter`',
  })
  @MayBeAbsent()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_NAMED)
  @HasNoRepeats()
  @HasFormat(DELIVERY_ID_FORMAT, { each: true })
  delivery_ids?: string[];
}

export class ReplayPreviewDto {
  @ApiProperty({ description: 'Deliveries that a replay with this filter would send again' })
  matched: number;
}

export class ReplayDto {
  @ApiProperty()
  id: string;

  @ApiProperty()
  form_id: string;

  @ApiProperty({ type: ReplayFilterDto, nullable: true, description: 'Null if its deliveries were named' })
  filter: ReplayFilterDto | null;

  @ApiProperty({ enum: REPLAY_STATES })
  state: ReplayState;

  @ApiProperty({ description: 'Deliveries chosen when it was made; each ends up replayed or skipped' })
  matched: number;

  @ApiProperty()
  replayed: number;

  @ApiProperty({
    description:
      'Replayed by another call or no longer of the state asked for, endpoint switched off, or payload erased when ' +
      'their turn came',
  })
  skipped: number;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finished_at: string | null;
}

export class ReplayListDto {
  @ApiProperty({ type: [ReplayDto] })
  items: ReplayDto[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
