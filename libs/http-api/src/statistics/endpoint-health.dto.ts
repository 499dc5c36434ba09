import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ATTEMPT_OUTCOMES, type AttemptOutcome } from '@form-webhooks/domain/enumerations';
import { ENDPOINT_ID_FORMAT } from '@form-webhooks/domain';
import { HasFormat } from '../http/formats.js';
import { MayBeAbsent } from '../http/rules.js';
import { LatencyDto } from './stats.dto.js';

export class EndpointHealthQueryDto {
  @ApiPropertyOptional({ pattern: ENDPOINT_ID_FORMAT.pattern.source, description: 'This one alone' })
  @MayBeAbsent()
  @HasFormat(ENDPOINT_ID_FORMAT)
  endpoint_id?: string;
}

/** How an endpoint does; test sends are not counted, unless it is said. */
export class EndpointHealthDto {
  @ApiProperty()
  endpoint_id: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When the last attempt began' })
  last_attempt_at: string | null;

  @ApiProperty({
    type: String,
    enum: [...ATTEMPT_OUTCOMES, null],
    nullable: true,
    description: 'What the last attempt led to; null while there was none',
  })
  last_outcome: AttemptOutcome | null;

  @ApiProperty({ type: Number, nullable: true, description: 'Of the last attempt, if it failed and was answered' })
  last_response_status: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'Of the last attempt, if it failed without an answer' })
  last_error: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the first attempt began after which none succeeded; null if the last one succeeded',
  })
  failing_since: string | null;

  @ApiProperty({ description: 'Attempts that failed since then' })
  consecutive_failures: number;

  @ApiProperty({
    type: Number,
    format: 'double',
    nullable: true,
    minimum: 0,
    maximum: 1,
    description:
      'delivered ÷ (delivered + failed + retrying), of what was accepted in the last 24 hours; null while there is none',
  })
  success_rate: number | null;

  @ApiProperty({ description: 'Attempts begun in the last 24 hours' })
  attempts: number;

  @ApiProperty({ type: LatencyDto, description: 'Of these attempts, in ms, within 20 %' })
  latency_ms: LatencyDto;

  @ApiProperty({ description: 'Deliveries that wait for an attempt, or for the end of one' })
  waiting: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the next attempt is due, of a test send too; in the past for one that is under way or put off',
  })
  next_attempt_at: string | null;
}

export class EndpointHealthListDto {
  @ApiProperty({ type: [EndpointHealthDto], description: 'All endpoints of the form, oldest first' })
  items: EndpointHealthDto[];
}
