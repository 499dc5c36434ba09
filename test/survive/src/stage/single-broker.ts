import { RabbitMqServer } from '@form-webhooks/local';
import { BrokerUnderTest } from './broker-under-test.js';

/** One node of RabbitMQ. */
export class SingleBroker extends BrokerUnderTest {
  private readonly server: RabbitMqServer;

  constructor(folder: string) {
    super();
    this.server = new RabbitMqServer({ folder });
  }

  override get url(): string {
    return this.server.url;
  }

  override async start(): Promise<void> {
    await this.server.start();
  }

  override async stop(): Promise<void> {
    await this.server.stop();
  }

  override async kill(): Promise<void> {
    await this.server.kill();
  }

  override ctl(...args: string[]): Promise<string> {
    return this.server.ctl(...args);
  }
}
