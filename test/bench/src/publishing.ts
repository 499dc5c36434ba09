import { randomBytes } from 'node:crypto';
import { Broker, EXCHANGES } from '@form-webhooks/broker';

const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error };

/** The form service's part: events by HTTP, or by the exchange `form.events` where its own cost should not count. */
export class Publishing {
  private constructor(private readonly broker: Broker) {}

  static async open(url: string): Promise<Publishing> {
    const broker = new Broker({ url, name: 'bench', logger: SILENT });
    await broker.start();
    await broker.whenReady();
    return new Publishing(broker);
  }

  /** Publishes `count` events to the exchange, confirmed. */
  async flood(formId: string, count: number, bytes: number): Promise<void> {
    const run = randomBytes(6).toString('hex');
    const to = { exchange: EXCHANGES.formEvents, routingKey: 'submission.created' };
    const publish = (n: number): Promise<void> =>
      this.broker.publisher.publish(to, {
        headers: {},
        body: Buffer.from(eventText(formId, `s_${run}_${n}`, bytes)),
        contentType: 'application/json',
        messageId: `${run}-${n}`,
      });
    await Promise.all(Array.from({ length: count }, (_, n) => publish(n)));
  }

  close(): Promise<void> {
    return this.broker.close();
  }
}

export const eventText = (formId: string, submissionId: string, bytes: number): string =>
  `{"event":"submission.created","form_id":"${formId}","submission_id":"${submissionId}",` +
  `"fields":{"text":"${'x'.repeat(bytes)}"},"meta":{"ip":"192.0.2.1","locale":"en"}}`;
