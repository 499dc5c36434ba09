import { ApiProperty } from '@nestjs/swagger';
import { EVENT_OUTCOMES, type EventOutcome } from '@form-webhooks/domain/enumerations';
import { DeliveryDto } from '../deliveries/delivery.dto.js';
import { IDEMPOTENCY_KEY_FORMAT } from '@form-webhooks/domain';
import { HasFormat } from '../http/formats.js';
import { ShownEventDto } from './event.dto.js';

/** Events that one search shows at most; a key can name more. */
export const MAX_EVENTS_FOUND = 10;

export class EventSearchQueryDto {
  @ApiProperty({
    description:
      'The id of an event, as `POST /v1/events` answered, or of one of its deliveries; or the key with which it was ' +
      'sent: `idempotency_key`, `message_id` on `form.events`',
  })
  @HasFormat(IDEMPOTENCY_KEY_FORMAT)
  id: string;
}

export class FoundEventDto extends ShownEventDto {
  @ApiProperty()
  event_id: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null for a test send' })
  accepted_at: string | null;

  @ApiProperty({ enum: EVENT_OUTCOMES, description: 'As in the events of a form' })
  outcome: EventOutcome;

  @ApiProperty({ description: 'For people: what became of it, and what waits until when' })
  summary: string;

  @ApiProperty({ type: [DeliveryDto], description: 'One for each endpoint that was enabled for it; at most 200' })
  deliveries: DeliveryDto[];
}

export class FoundParkedDto {
  @ApiProperty({ description: 'Which queue it waits in for an operator; `….rejected`: it was sent wrong' })
  queue: string;

  @ApiProperty()
  reason: string;

  @ApiProperty({ type: String, nullable: true })
  message_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  event_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  delivery_id: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  parked_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'If its publisher said so' })
  sent_at: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The `user_id`, which the broker checks, or else the `app_id`; if its publisher named one',
  })
  sent_by: string | null;
}

export class WaitingQueueDto {
  @ApiProperty()
  queue: string;

  @ApiProperty()
  messages: number;
}

/** What the broker has: only service keys see it, as its messages belong to no workspace. */
export class BrokerFindingsDto {
  @ApiProperty({ type: [FoundParkedDto], description: 'What is put aside for an operator and has this id' })
  parked: FoundParkedDto[];

  @ApiProperty({ description: 'Messages put aside that were not looked at, because there are too many' })
  parked_not_searched: number;

  @ApiProperty({
    type: [WaitingQueueDto],
    description:
      'Queues before the log in which messages wait: what is in them nobody can see, so it may be among them',
  })
  waiting: WaitingQueueDto[];
}

export class EventSearchDto {
  @ApiProperty({ description: 'For people: what was found, or what it can mean that nothing was' })
  summary: string;

  @ApiProperty({ type: [FoundEventDto], description: `The newest first, at most ${MAX_EVENTS_FOUND}` })
  events: FoundEventDto[];

  @ApiProperty({
    type: BrokerFindingsDto,
    nullable: true,
    description: 'Null for other callers than service keys, and while the broker does not answer',
  })
  broker: BrokerFindingsDto | null;
}
