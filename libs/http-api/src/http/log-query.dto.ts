import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { EVENT_NAMES, type EventName } from '@form-webhooks/domain/enumerations';
import { SUBMISSION_ID_FORMAT } from '@form-webhooks/domain';
import { HasFormat } from './formats.js';
import { PageQueryDto } from './page.dto.js';
import { IsMoment, MayBeAbsent } from './rules.js';

/** What the events and the deliveries of a form are both searched by. */
export abstract class LogQueryDto extends PageQueryDto {
  @ApiPropertyOptional({ enum: EVENT_NAMES })
  @MayBeAbsent()
  @IsIn(EVENT_NAMES)
  event?: EventName;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @HasFormat(SUBMISSION_ID_FORMAT)
  submission_id?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Accepted at or after' })
  @MayBeAbsent()
  @IsMoment()
  from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Accepted before' })
  @MayBeAbsent()
  @IsMoment()
  to?: string;
}
