import { ApiProperty } from '@nestjs/swagger';
import { LIVE_TOPICS, type LiveTopic } from '../enumerations.js';

/** The data of the events `open` and `changed` of a live stream. */
export class LiveChangeDto {
  @ApiProperty({ format: 'date-time', description: 'When it was told; a change is told within two seconds' })
  at: string;

  @ApiProperty({
    enum: LIVE_TOPICS,
    isArray: true,
    description: 'What to read again: endpoints with their secrets, deliveries with statistics and health, replays',
  })
  topics: LiveTopic[];
}
