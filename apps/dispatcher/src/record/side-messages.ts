import { QUEUES, type IncomingMessage } from '@form-webhooks/broker';
import { isFence, readFenceMessage } from '@form-webhooks/messages';
import type { RecordLog } from './record-log.js';
import type { RedeliveredDue } from '../retry/redelivered-due.js';

/** What comes through a delivery queue and is not to be attempted here. */
export class SideMessages {
  constructor(
    private readonly log: RecordLog,
    private readonly redeliveredDue: RedeliveredDue,
  ) {}

  /**
   * Tells the log of a fence, and moves on what `dispatcher.due` handed over before.
   * @returns false if the message is a delivery to attempt
   * @throws UnreadableMessage
   */
  async settle(message: IncomingMessage): Promise<boolean> {
    if (isFence(message.headers)) {
      await this.log.record({ kind: 'fence', ...readFenceMessage(message.headers) });
      return true;
    }
    if (message.queue !== QUEUES.due || !message.redelivered) return false;
    await this.redeliveredDue.move(message);
    return true;
  }
}
