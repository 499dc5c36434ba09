import { Injectable } from '@nestjs/common';
import { Broker, BrokerServer, IntakeHold } from '@form-webhooks/broker';
import { Readiness } from '@form-webhooks/telemetry';
import { EndpointDirectory } from './endpoints/endpoint-directory.js';

/** For how long no work may begin without an alarm, ms: an election in the broker takes less. */
const HELD_FOR_MS = 30_000;

/**
 * A dispatcher is ready when it takes work and knows whereto. An alarm of the broker it waits out, as every other
 * dispatcher must; and while config is away it goes on with what it knows.
 */
@Injectable()
export class DispatcherReadiness extends Readiness {
  constructor(
    private readonly broker: Broker,
    private readonly server: BrokerServer,
    private readonly forms: EndpointDirectory,
    private readonly intake: IntakeHold,
  ) {
    super();
  }

  checks(): Record<string, boolean> {
    const { publishing, blocked, topology, version } = this.broker.status();
    return {
      publishing,
      consuming: this.server.healthy,
      topology,
      broker_version: version,
      forms: this.forms.knowsForms,
      work: blocked || this.intake.workHeldMs < HELD_FOR_MS,
    };
  }
}
