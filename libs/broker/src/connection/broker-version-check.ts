import type { BrokerLogger } from '../broker-logger.js';
import type { Session } from './broker-link.js';
import { OLDEST_BROKER, readBrokerVersion } from './broker-version.js';

/**
 * Refuses a broker that is too old, at each connect and before anything is declared: its queues would lose what newer
 * ones keep, without an error. The connection is tried again, since the broker may be upgraded meanwhile.
 */
export class BrokerVersionCheck {
  private last: string | undefined;
  private refused = false;

  constructor(private readonly logger: BrokerLogger) {}

  /** False after a connect to a broker that is too old, until one to another succeeds. */
  get fine(): boolean {
    return !this.refused;
  }

  /** @throws Error if it is too old */
  check({ serverProperties }: Pick<Session, 'serverProperties'>): void {
    const { text, verdict } = readBrokerVersion(serverProperties);
    const oldest = `${OLDEST_BROKER.major}.${OLDEST_BROKER.minor}`;
    this.refused = verdict === 'too_old';
    if (text !== this.last) {
      this.last = text;
      if (verdict === 'supported') this.logger.info({ broker: text }, 'the version of the broker');
      if (verdict === 'unknown') this.logger.warn({ broker: text }, 'this version of the broker was never tried');
      if (verdict === 'too_old') this.logger.error({ broker: text, oldest }, 'the broker is too old: upgrade it');
    }
    if (this.refused) throw new Error(`${text} is too old: RabbitMQ ${oldest} or later is needed`);
  }
}
