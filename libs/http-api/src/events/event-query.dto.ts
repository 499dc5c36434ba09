import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, Matches } from 'class-validator';
import { EVENT_ID_PATTERN, IDEMPOTENCY_KEY_PATTERN, SUBMISSION_ID_PATTERN } from '@form-webhooks/domain';
import { EVENT_NAMES, EVENT_OUTCOMES, type EventName, type EventOutcome } from '@form-webhooks/domain/enumerations';
import { PageQueryDto } from '../http/page.dto.js';
import { IsMoment, MayBeAbsent } from '../http/rules.js';

/** Which events of a form; all conditions hold together. */
export class EventQueryDto extends PageQueryDto {
  @ApiPropertyOptional({ enum: EVENT_OUTCOMES })
  @MayBeAbsent()
  @IsIn(EVENT_OUTCOMES)
  outcome?: EventOutcome;

  @ApiPropertyOptional({ enum: EVENT_NAMES })
  @MayBeAbsent()
  @IsIn(EVENT_NAMES)
  event?: EventName;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @Matches(SUBMISSION_ID_PATTERN)
  submission_id?: string;

  @ApiPropertyOptional({ description: 'As `POST /v1/events` answered' })
  @MayBeAbsent()
  @Matches(EVENT_ID_PATTERN)
  event_id?: string;

  @ApiPropertyOptional({ description: 'With which the form service sent it' })
  @MayBeAbsent()
  @Matches(IDEMPOTENCY_KEY_PATTERN)
  idempotency_key?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Accepted at or after' })
  @MayBeAbsent()
  @IsMoment()
  from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Accepted before' })
  @MayBeAbsent()
  @IsMoment()
  to?: string;
}
