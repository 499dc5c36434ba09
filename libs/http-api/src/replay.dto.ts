import { ApiProperty, OmitType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDefined, IsIn, IsObject, ValidateNested } from 'class-validator';
import { DeliveryQueryDto } from './delivery-query.dto.js';

export const REPLAYABLE_STATES = ['failed', 'cancelled', 'delivered'] as const;
export type ReplayableState = (typeof REPLAYABLE_STATES)[number];
export const REPLAY_STATES = ['running', 'done', 'cancelled'] as const;

class SharedFilterDto extends OmitType(DeliveryQueryDto, ['cursor', 'limit', 'delivery_id', 'state'] as const) {}

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
  state: (typeof REPLAY_STATES)[number];

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
