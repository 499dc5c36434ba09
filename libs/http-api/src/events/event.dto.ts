import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import { HasNoRepeats } from '../http/rules.js';
import { EVENT_NAMES, EVENT_OUTCOMES, type EventName, type EventOutcome } from '@form-webhooks/domain/enumerations';
import { EVENT_ID_FORMAT } from '@form-webhooks/domain';
import { HasFormat } from '../http/formats.js';

/** Events that one call sends at most. */
const MAX_EVENTS_SENT = 100;

/** What is said of an event wherever one is shown. */
export abstract class ShownEventDto {
  @ApiProperty({ enum: EVENT_NAMES })
  event: EventName;

  @ApiProperty()
  form_id: string;

  @ApiProperty()
  submission_id: string;

  @ApiProperty({ type: String, nullable: true, description: 'Null if it came without one, or was erased' })
  idempotency_key: string | null;
}

export class EventDto extends ShownEventDto {
  @ApiProperty({ description: 'As `POST /v1/events` answered' })
  event_id: string;

  @ApiProperty({ format: 'date-time' })
  accepted_at: string;

  @ApiProperty({
    enum: EVENT_OUTCOMES,
    description:
      '`fanned_out`: there is a delivery for each endpoint that was enabled for it. `no_endpoints`: there was none. ' +
      '`not_registered`: the form was not registered. `waiting`: the form is looked up again',
  })
  outcome: EventOutcome;

  @ApiProperty({ description: 'The key came with another content too, so it does not tell which event is meant' })
  key_reused: boolean;
}

export class EventListDto {
  @ApiProperty({ type: [EventDto] })
  items: EventDto[];

  @ApiProperty({ type: String, nullable: true, description: 'Null at the end; a page may be short before that' })
  next_cursor: string | null;
}

export class SendEventsDto {
  @ApiProperty({
    type: [String],
    minItems: 1,
    maxItems: MAX_EVENTS_SENT,
    uniqueItems: true,
    items: { type: 'string', pattern: EVENT_ID_FORMAT.pattern.source },
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_EVENTS_SENT)
  @HasNoRepeats()
  @HasFormat(EVENT_ID_FORMAT, { each: true })
  event_ids: string[];
}

/** Why an event led to no delivery. */
const SKIPPED_EVENT_REASONS = ['unknown', 'payload_erased', 'no_endpoints', 'sent_before'] as const;
export type SkippedEventReason = (typeof SKIPPED_EVENT_REASONS)[number];

export class MadeDeliveryDto {
  @ApiProperty()
  event_id: string;

  @ApiProperty()
  endpoint_id: string;

  @ApiProperty({ description: 'Found in the delivery log at once' })
  delivery_id: string;
}

export class SkippedEventDto {
  @ApiProperty()
  event_id: string;

  @ApiProperty({
    enum: SKIPPED_EVENT_REASONS,
    description: '`sent_before`: every endpoint that is enabled for it has its delivery already; replay that one',
  })
  reason: SkippedEventReason;
}

export class SentEventsDto {
  @ApiProperty({ type: [MadeDeliveryDto] })
  deliveries: MadeDeliveryDto[];

  @ApiProperty({ type: [SkippedEventDto] })
  skipped: SkippedEventDto[];
}
