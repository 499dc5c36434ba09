import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { FAILURE_CAUSES, type DeliveryState, type FailureCause } from '@form-webhooks/domain/enumerations';
import { STATS_STEPS, type StatsStep } from '../enumerations.js';
import { IsMoment, IsTimezone, MayBeAbsent, TIMEZONE_PATTERN } from '../http/rules.js';

export class StatsQueryDto {
  @ApiPropertyOptional({ format: 'date-time', description: 'From its hour on; default a day before `to`' })
  @MayBeAbsent()
  @IsMoment()
  from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Including its hour; default now' })
  @MayBeAbsent()
  @IsMoment()
  to?: string;

  @ApiPropertyOptional({ enum: STATS_STEPS, description: 'Default: the shortest that gives at most 200 points' })
  @MayBeAbsent()
  @IsIn(STATS_STEPS)
  step?: StatsStep;

  @ApiPropertyOptional({
    pattern: TIMEZONE_PATTERN.source,
    example: 'Europe/Berlin',
    description:
      'The IANA name of the time zone by whose clocks steps begin, the first one at or before `from`. Without it each ' +
      'is as long as the first. Where clocks differ from UTC by part of an hour, so much may be counted in the step before',
  })
  @MayBeAbsent()
  @IsTimezone()
  timezone?: string;
}

export class StateCountsDto implements Record<DeliveryState, number> {
  @ApiProperty()
  pending: number;

  @ApiProperty()
  retrying: number;

  @ApiProperty()
  cancelled: number;

  @ApiProperty()
  failed: number;

  @ApiProperty()
  delivered: number;
}

export class LatencyDto {
  @ApiProperty({ type: Number, nullable: true })
  p50: number | null;

  @ApiProperty({ type: Number, nullable: true })
  p95: number | null;

  @ApiProperty({ type: Number, nullable: true })
  p99: number | null;
}

/** Attempts that failed for one cause. */
export class FailureCountDto {
  @ApiProperty({
    enum: FAILURE_CAUSES,
    description: 'The class of the status that came back, or the error because of which none did',
  })
  cause: FailureCause;

  @ApiProperty()
  attempts: number;
}

export class StatsPointDto {
  @ApiProperty({ format: 'date-time', description: 'When the step begins' })
  at: string;

  @ApiProperty({ type: StateCountsDto, description: 'Deliveries accepted in the step, by their present state' })
  counts: StateCountsDto;

  @ApiProperty({ description: 'Attempts begun in the step' })
  attempts: number;

  @ApiProperty({ type: [FailureCountDto], description: 'Those of them that failed, by cause' })
  failures: FailureCountDto[];

  @ApiProperty({ type: LatencyDto, description: 'Of attempts begun in the step, in ms, within 20 %' })
  latency_ms: LatencyDto;
}

export class EndpointStatsDto {
  @ApiProperty()
  endpoint_id: string;

  @ApiProperty({ type: StateCountsDto })
  counts: StateCountsDto;

  @ApiProperty({
    type: Number,
    format: 'double',
    nullable: true,
    description: 'delivered ÷ (delivered + failed); null while neither',
  })
  success_rate: number | null;

  @ApiProperty()
  attempts: number;

  @ApiProperty({
    type: [FailureCountDto],
    description: 'Attempts that failed, by cause, the most frequent first. Counted since the release that counts them',
  })
  failures: FailureCountDto[];

  @ApiProperty({ type: LatencyDto })
  latency_ms: LatencyDto;

  @ApiProperty({ type: [StatsPointDto], description: 'Steps in which nothing happened are left out' })
  series: StatsPointDto[];
}

export class StatsDto {
  @ApiProperty({ format: 'date-time' })
  from: string;

  @ApiProperty({ format: 'date-time' })
  to: string;

  @ApiProperty({ enum: STATS_STEPS })
  step: StatsStep;

  @ApiProperty({ type: String, nullable: true, description: 'By whose clocks steps begin; null if it was not said' })
  timezone: string | null;

  @ApiProperty({ type: [EndpointStatsDto], description: 'Also of deleted endpoints; test sends are not counted' })
  endpoints: EndpointStatsDto[];
}
