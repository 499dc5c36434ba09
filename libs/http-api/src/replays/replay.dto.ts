import { ApiProperty, OmitType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDefined, IsIn, IsObject, ValidateNested } from 'class-validator';
import { DeliveryQueryDto } from '../deliveries/delivery-query.dto.js';
import { REPLAY_STATES, REPLAYABLE_STATES, type ReplayableState, type ReplayState } from '../enumerations.js';

const LEFT_OUT = ['cursor', 'limit', 'delivery_id', 'state'] as const;
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
}

export class CreateReplayDto {
  @ApiProperty({ type: ReplayFilterDto, description: 'As in the delivery list' })
  @IsDefined()
  @IsObject()
  @ValidateNested()
  @Type(() => ReplayFilterDto)
  filter: ReplayFilterDto;
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

  @ApiProperty({ type: ReplayFilterDto })
  filter: ReplayFilterDto;

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
