import { Broker, BrokerServer } from '@form-webhooks/broker';
import { Readiness } from '@form-webhooks/telemetry';
import { Injectable } from '@nestjs/common';

/** Ingest is ready when it can hand events on: during an alarm of the broker others may be able to. */
@Injectable()
export class IngestReadiness extends Readiness {
  constructor(
    private readonly broker: Broker,
    private readonly server: BrokerServer,
  ) {
    super();
  }

  checks(): Record<string, boolean> {
    const { publishing, blocked, topology, version } = this.broker.status();
    return { publishing: publishing && !blocked, consuming: this.server.healthy, topology, broker_version: version };
  }
}
