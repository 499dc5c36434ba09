import { asDuration, Setting } from '@form-webhooks/settings';

/** How records travel to the log. */
export class RecordSettings {
  @Setting({
    env: 'RECORD_GATHER',
    meaning: 'how long a record waits for others before it is sent to the log; a killed dispatcher repeats as much',
    default: '200ms',
    parse: asDuration(1, 1_000),
  })
  readonly gatherMs: number;
}
