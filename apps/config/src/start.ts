import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Broker, BrokerServer, QUEUES } from '@form-webhooks/broker';
import type { DataSource } from '@form-webhooks/storage';
import { HealthServer, Metrics, NestLogger, type Logger } from '@form-webhooks/telemetry';
import { AppModule } from './config.module.js';
import { Changes } from './changes/changes.js';
import { DatabasePulse } from './database/database-pulse.js';
import { openDatabase } from './database/database.js';
import { createApiAdapter, prepareApi } from './http/api-server.js';
import { serveDocumentation } from './http/documentation.js';
import type { ConfigSettings } from './settings.js';

/** The config service in one object: everything that starts together and stops in order. */
export class ConfigService {
  private readonly metrics = new Metrics('config');
  private readonly broker: Broker;
  private readonly server: BrokerServer;
  private readonly health: HealthServer;
  private dataSource: DataSource | undefined;
  private pulse: DatabasePulse | undefined;
  private app: NestFastifyApplication | undefined;
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly settings: ConfigSettings,
    private readonly logger: Logger,
  ) {
    this.broker = new Broker({ url: settings.broker.url, name: 'config', logger });
    this.server = new BrokerServer(this.broker, { prefetch: { [QUEUES.deliveryLog]: settings.log.prefetch } });
    this.health = new HealthServer({
      ...settings.health,
      metrics: this.metrics,
      readiness: () => this.readiness(),
    });
  }

  /** Health first, so that a slow start is seen as one. @returns the ports that are listened on */
  async start(): Promise<{ readonly apiPort: number; readonly healthPort: number }> {
    const healthPort = await this.health.start();
    this.dataSource = await openDatabase(this.settings, this.logger);
    this.pulse = new DatabasePulse(this.dataSource, this.logger);
    this.app = await this.createApp(this.dataSource);
    await this.app.startAllMicroservices();
    await this.broker.start();
    const { http } = this.settings;
    await this.app.listen(http.port, http.host);
    const address = this.app.getHttpServer().address() as { port: number };
    return { apiPort: address.port, healthPort };
  }

  /** No new work, finish what is in flight, then the broker and the database that it needs. Harmless when repeated. */
  stop(): Promise<void> {
    this.stopped ??= this.shutDown();
    return this.stopped;
  }

  private async shutDown(): Promise<void> {
    await this.app?.close();
    await this.app?.get(Changes).idle();
    await this.broker.close();
    await this.pulse?.stop();
    await this.dataSource?.destroy();
    await this.health.stop();
  }

  private async createApp(dataSource: DataSource): Promise<NestFastifyApplication> {
    const { settings, logger, metrics, broker, server } = this;
    const app = await NestFactory.create<NestFastifyApplication>(
      AppModule.with({ settings, logger, metrics, dataSource, broker, server }),
      createApiAdapter(settings.http),
      { logger: new NestLogger(logger), abortOnError: false, bodyParser: false },
    );
    await prepareApi(app, settings.api);
    app.connectMicroservice({ strategy: this.server });
    serveDocumentation(app);
    await app.init();
    return app;
  }

  private readiness(): { ready: boolean; checks: Record<string, boolean> } {
    const { publishing, consuming } = this.broker.status();
    const checks = {
      api: this.app?.getHttpServer().listening ?? false,
      publishing,
      consuming: consuming && this.server.healthy,
      database: this.pulse?.beats ?? false,
    };
    return { ready: Object.values(checks).every(Boolean), checks };
  }
}
