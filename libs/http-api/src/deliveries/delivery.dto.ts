import { ApiProperty } from '@nestjs/swagger';
import {
  ATTEMPT_OUTCOMES,
  DELIVERY_STATES,
  EVENT_NAMES,
  REASONS,
  TRIGGERS,
  WAITING_CAUSES,
  type AttemptOutcome,
  type DeliveryState,
  type EventName,
  type Reason,
  type Trigger,
  type WaitingCause,
} from '@form-webhooks/domain/enumerations';

const HEADERS = { type: 'object', additionalProperties: { type: 'string' } } as const;

export class DeliveryDto {
  @ApiProperty({ description: 'The same over all attempts and replays' })
  delivery_id: string;

  @ApiProperty()
  event_id: string;

  @ApiProperty({ enum: EVENT_NAMES })
  event: EventName;

  @ApiProperty()
  form_id: string;

  @ApiProperty()
  submission_id: string;

  @ApiProperty()
  endpoint_id: string;

  @ApiProperty({ enum: DELIVERY_STATES })
  state: DeliveryState;

  @ApiProperty({ enum: REASONS, nullable: true, description: 'Why it failed or was cancelled' })
  reason: Reason | null;

  @ApiProperty({ description: 'How often it was begun anew: replayed, or retried at once' })
  generation: number;

  @ApiProperty()
  attempt_count: number;

  @ApiProperty({ format: 'date-time' })
  accepted_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  next_attempt_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completed_at: string | null;

  @ApiProperty({
    enum: WAITING_CAUSES,
    nullable: true,
    description:
      'Why an open delivery was put off without an attempt, the last time. `no_slot`: its endpoint, or the dispatcher, ' +
      'has as many requests under way as it may. `rate_limit`: its endpoint has a highest rate, and others come first. ' +
      '`form_unknown`: its endpoint could not be looked up. ' +
      '`secret_unreadable`: its signing secret or the value of a header of its endpoint does not open with the keys that ' +
      'dispatchers have; operators are alerted',
  })
  waits_for: WaitingCause | null;

  @ApiProperty({ enum: TRIGGERS })
  trigger: Trigger;

  @ApiProperty({ type: Number, nullable: true, description: 'Of the latest attempt' })
  last_response_status: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'The error code of the latest attempt' })
  last_error: string | null;
}

export class DeliveryListDto {
  @ApiProperty({ type: [DeliveryDto] })
  items: DeliveryDto[];

  @ApiProperty({ type: String, nullable: true, description: 'Null at the end; a page may be short before that' })
  next_cursor: string | null;
}

export class AttemptRequestDto {
  @ApiProperty({ enum: ['POST'] })
  method: 'POST';

  @ApiProperty()
  url: string;

  @ApiProperty({ ...HEADERS, description: 'As sent; `***` stands for the values of headers that the owner added' })
  headers: Readonly<Record<string, string>>;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Byte for byte what was sent; null without the scope payload:read, once erased, and in a delivery whose bodies are longer than 128 KiB: ask for the attempt alone',
  })
  body: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'A command line that sends the same bytes again by hand; null without a body or if it is too long for one',
  })
  curl: string | null;
}

export class AttemptResponseDto {
  @ApiProperty()
  status: number;

  @ApiProperty(HEADERS)
  headers: Readonly<Record<string, string>>;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'How the body begins, 2 KiB at most; null without the scope payload:read and once erased',
  })
  excerpt: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The bytes of that beginning in base64, where `excerpt` can not say them (not UTF-8, control characters); null where it says them exactly, and with `excerpt`',
  })
  excerpt_base64: string | null;

  @ApiProperty({ description: 'The body was longer than the excerpt' })
  truncated: boolean;
}

export class AttemptErrorDto {
  @ApiProperty({ example: 'timeout' })
  code: string;

  @ApiProperty({ description: 'In plain words' })
  message: string;
}

/** What the parts of an attempt took; null is what there was not, or what did not end. */
export class AttemptTimingsDto {
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Until DNS had answered; null for an address, and over a connection that was open already',
  })
  dns_ms: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'From there until there was a TCP connection' })
  connect_ms: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'From there until the end of the TLS handshake' })
  tls_ms: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'From there until the first byte of an answer' })
  first_byte_ms: number | null;
}

export class AttemptDto {
  @ApiProperty()
  id: string;

  @ApiProperty({ description: 'From 1, over all generations' })
  number: number;

  @ApiProperty()
  generation: number;

  @ApiProperty({ format: 'date-time' })
  started_at: string;

  @ApiProperty()
  duration_ms: number;

  @ApiProperty({
    type: AttemptTimingsDto,
    nullable: true,
    description:
      'Of the connection on which it was sent last; null if nothing was sent, or if they were not measured yet',
  })
  timings: AttemptTimingsDto | null;

  @ApiProperty({ type: AttemptRequestDto })
  request: AttemptRequestDto;

  @ApiProperty({ type: AttemptResponseDto, nullable: true })
  response: AttemptResponseDto | null;

  @ApiProperty({ type: AttemptErrorDto, nullable: true })
  error: AttemptErrorDto | null;

  @ApiProperty({ type: String, nullable: true })
  remote_address: string | null;

  @ApiProperty({ description: 'Sent once more because the receiver had closed an idle connection' })
  resent: boolean;

  @ApiProperty({ enum: ATTEMPT_OUTCOMES })
  outcome: AttemptOutcome;
}

export class DeliveryDetailDto extends DeliveryDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The body that every attempt sends, without its timestamp; null without the scope payload:read and once erased',
  })
  payload: string | null;

  @ApiProperty({ type: [AttemptDto], description: 'In the order in which they were made; at most the newest 200' })
  attempts: AttemptDto[];
}
