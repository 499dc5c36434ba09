import { Injectable } from '@nestjs/common';
import { Broker, BrokerServer } from '@form-webhooks/broker';
import { Readiness } from '@form-webhooks/telemetry';

/** A dispatcher is ready when it takes work. An alarm of the broker it waits out, as every other dispatcher must. */
@Injectable()
export class DispatcherReadiness extends Readiness {
  constructor(
    private readonly broker: Broker,
    private readonly server: BrokerServer,
  ) {
    super();
  }

  checks(): Record<string, boolean> {
    const { publishing, topology, version } = this.broker.status();
    return { publishing, consuming: this.server.healthy, topology, broker_version: version };
  }
}
