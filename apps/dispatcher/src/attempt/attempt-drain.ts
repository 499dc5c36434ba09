import { Inject, Injectable } from '@nestjs/common';
import { BrokerServer, IntakeHold } from '@form-webhooks/broker';
import { inTime } from '@form-webhooks/domain';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { Admission } from '../admission/admission.js';
import { DispatcherSettings } from '../settings.js';

/** The attempts in flight at a stop: no new one begins, and they are finished, or aborted if that takes too long. */
@Injectable()
export class AttemptDrain {
  private readonly beginning = new AbortController();
  private readonly aborting = new AbortController();

  constructor(
    private readonly server: BrokerServer,
    private readonly settings: DispatcherSettings,
    private readonly admission: Admission,
    private readonly intake: IntakeHold,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Aborted when the stop begins. */
  get stopping(): AbortSignal {
    return this.beginning.signal;
  }

  /** Aborted when attempts in flight have taken too long for the stop. */
  get tooLate(): AbortSignal {
    return this.aborting.signal;
  }

  /**
   * Resolves once nothing is in flight. What was aborted is recorded and retried, as every attempt that failed; what has
   * not begun by then is handed back.
   */
  async drain(): Promise<void> {
    this.beginning.abort();
    this.admission.endLongWaits();
    // What waits for the broker to confirm again has nothing to lose, and would keep this process for all of its time.
    this.intake.endWaits();
    const drained = this.server.close();
    if (await inTime(drained, this.settings.stopTimeoutMs)) return;
    this.logger.warn({}, 'attempts still in flight are aborted; they are retried');
    this.aborting.abort();
    await drained;
  }
}
