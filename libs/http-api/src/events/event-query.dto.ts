import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, Matches } from 'class-validator';
import { EVENT_ID_PATTERN, IDEMPOTENCY_KEY_PATTERN } from '@form-webhooks/domain';
import { EVENT_OUTCOMES, type EventOutcome } from '@form-webhooks/domain/enumerations';
import { LogQueryDto } from '../http/log-query.dto.js';
import { MayBeAbsent } from '../http/rules.js';

/** Which events of a form; all conditions hold together. */
export class EventQueryDto extends LogQueryDto {
  @ApiPropertyOptional({ enum: EVENT_OUTCOMES })
  @MayBeAbsent()
  @IsIn(EVENT_OUTCOMES)
  outcome?: EventOutcome;

  @ApiPropertyOptional({ description: 'As `POST /v1/events` answered' })
  @MayBeAbsent()
  @Matches(EVENT_ID_PATTERN)
  event_id?: string;

  @ApiPropertyOptional({ description: 'With which the form service sent it' })
  @MayBeAbsent()
  @Matches(IDEMPOTENCY_KEY_PATTERN)
  idempotency_key?: string;
}
