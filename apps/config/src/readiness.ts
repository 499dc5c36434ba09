import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Broker, BrokerServer } from '@form-webhooks/broker';
import { Readiness } from '@form-webhooks/telemetry';
import { DatabaseProbe } from './database/database-probe.js';
import { RetryUntilWritten } from './log-writing/retry-until-written.js';

/** Config is ready when it can answer, take the log's records and announce changes. */
@Injectable()
export class ConfigReadiness extends Readiness {
  constructor(
    private readonly http: HttpAdapterHost,
    private readonly broker: Broker,
    private readonly server: BrokerServer,
    private readonly database: DatabaseProbe,
    private readonly log: RetryUntilWritten,
  ) {
    super();
  }

  checks(): Record<string, boolean> {
    const { publishing, consuming, topology, version } = this.broker.status();
    const api = this.http.httpAdapter.getHttpServer() as ReturnType<NestFastifyApplication['getHttpServer']>;
    return {
      api: api.listening,
      publishing,
      consuming: consuming && this.server.healthy,
      topology,
      broker_version: version,
      database: this.database.answers,
      log: this.log.keepsUp,
    };
  }
}
