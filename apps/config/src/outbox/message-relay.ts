import { Injectable } from '@nestjs/common';
import { Broker, EXCHANGES, TO_DELIVERIES } from '@form-webhooks/broker';
import type { OutboxRow } from '@form-webhooks/storage';

/** Hands one row of the outbox to the broker. */
@Injectable()
export class MessageRelay {
  constructor(private readonly broker: Broker) {}

  /** False while a publish has no chance: then nobody waits for one. */
  get available(): boolean {
    const { publishing, blocked } = this.broker.status();
    return publishing && !blocked;
  }

  /** Resolves once the broker has confirmed it. @throws PublishFailed */
  send(row: OutboxRow): Promise<void> {
    const { publisher } = this.broker;
    if (row.kind === 'config_change') return publisher.broadcast(EXCHANGES.configChanges, row.body);
    return publisher.publish(TO_DELIVERIES, { headers: row.headers, body: row.body });
  }
}
