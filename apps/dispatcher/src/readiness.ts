import { Injectable } from '@nestjs/common';
import { Broker, BrokerServer } from '@form-webhooks/broker';
import { Readiness } from '@form-webhooks/telemetry';
import { EndpointDirectory } from './endpoints/endpoint-directory.js';

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
  ) {
    super();
  }

  checks(): Record<string, boolean> {
    const { publishing, topology, version } = this.broker.status();
    const consuming = this.server.healthy;
    return { publishing, consuming, topology, broker_version: version, forms: this.forms.knowsForms };
  }
}
