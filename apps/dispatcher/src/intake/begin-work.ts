import { Injectable } from '@nestjs/common';
import { DONE, IntakeHold, type IncomingMessage, type Verdict } from '@form-webhooks/broker';
import { InFlightBytes } from './in-flight-bytes.js';

/** The beginning of every message's work: held back while nothing that follows from it could be made safe. */
@Injectable()
export class BeginWork {
  constructor(
    private readonly inFlightBytes: InFlightBytes,
    private readonly intake: IntakeHold,
  ) {}

  /** Runs `work` once it may begin, and says that the message is done with. Rejects as `work` does. */
  begin(message: IncomingMessage, work: () => Promise<unknown>): Promise<Verdict> {
    return this.inFlightBytes.during(message.body.length, async () => {
      // What came back to the broker while it waited here is worked on by whoever got it then.
      if (await this.intake.whenWorkMayBegin(message)) await work();
      return DONE;
    });
  }
}
