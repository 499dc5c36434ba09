import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { EVENT_OUTCOMES, type EventOutcome } from '@form-webhooks/domain/enumerations';
import { EVENT_ID_FORMAT, IDEMPOTENCY_KEY_FORMAT } from '@form-webhooks/domain';
import { HasFormat } from '../http/formats.js';
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
  @HasFormat(EVENT_ID_FORMAT)
  event_id?: string;

  @ApiPropertyOptional({ description: 'With which the form service sent it' })
  @MayBeAbsent()
  @HasFormat(IDEMPOTENCY_KEY_FORMAT)
  idempotency_key?: string;
}
