import { Inject, Injectable } from '@nestjs/common';
import {
  Broker,
  EXCHANGES,
  KnownCopies,
  PublishFailed,
  TO_DELIVERIES,
  toDeliveries,
  type OutgoingMessage,
} from '@form-webhooks/broker';
import { DataSource, removeFromOutbox, type OutboxRow } from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';

/** A row stays locked while its confirm is waited for: shorter than the server lets a transaction be idle, ms. */
const CONFIRM_WITHIN_MS = 10_000;

/**
 * Hands rows of the outbox to the broker. A row whose confirm doesn't come in time stays in the table, and its copy may
 * still arrive, as after an alarm of the broker: it is not sent a second time from here, and goes when its confirm comes.
 */
@Injectable()
export class MessageRelay {
  private readonly copies = new KnownCopies<string>((id) => void this.removeLate(id));

  constructor(
    private readonly broker: Broker,
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** False while a publish has no chance: then nobody waits for one. */
  get available(): boolean {
    const { publishing, blocked } = this.broker.status();
    return publishing && !blocked;
  }

  /** Resolves once the broker has confirmed it. @throws PublishFailed */
  async send(row: OutboxRow): Promise<void> {
    const { publisher } = this.broker;
    const { id, kind, headers, body } = row;
    // A notice may be heard twice.
    if (kind === 'config_change') return publisher.broadcast(EXCHANGES.configChanges, body);
    const publish = () => this.publishDelivery({ headers, body });
    if (await this.copies.publish(id, publish, CONFIRM_WITHIN_MS)) return;
    throw new PublishFailed('timeout', TO_DELIVERIES);
  }

  /** Config is updated before the dispatchers, which declare the queue of what is large. */
  private async publishDelivery(message: OutgoingMessage): Promise<void> {
    const { publisher } = this.broker;
    try {
      await publisher.publishPatiently(toDeliveries(message.body.length), message);
    } catch (error) {
      if (!(error instanceof PublishFailed) || error.code !== 'unroutable') throw error;
      await publisher.publishPatiently(TO_DELIVERIES, message);
    }
  }

  private async removeLate(id: string): Promise<void> {
    try {
      await removeFromOutbox(this.dataSource.manager, [id]);
    } catch (error) {
      this.logger.warn({ err: error, row: id }, 'an outbox row that was confirmed late is published once more');
    }
  }
}
