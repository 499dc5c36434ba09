import type { BrokerLogger } from '../broker-logger.js';
import { messageProperties, originProperties, ownHeaders, parkedHeaders, UNPARKED } from '../publish/forwarding.js';
import type { SafePublisher } from '../publish/safe-publisher.js';
import { crashedQueueOf, parkedQueueOf, toOwnQueue, workFor } from '../destinations.js';
import { DONE, type IncomingMessage, type Verdict } from './verdict.js';

/**
 * Handles messages past the delivery limit. A crash counts for every message that its process held, so most of them did
 * not cause it: each goes back to work once, a large body among its like. One that comes here again is parked for a person.
 */
export class CrashReturns {
  readonly source: string;

  constructor(
    private readonly queue: string,
    private readonly publisher: SafePublisher,
    private readonly logger: BrokerLogger,
  ) {
    this.source = crashedQueueOf(queue);
  }

  async handle(message: IncomingMessage): Promise<Verdict> {
    const headers = ownHeaders(message.headers);
    const again = headers[UNPARKED] === undefined;
    const to = toOwnQueue(again ? workFor(this.queue, message.body.length) : parkedQueueOf(this.queue));
    const marked = again
      ? { ...headers, [UNPARKED]: 1 }
      : parkedHeaders(message, 'its consumers crashed or failed past the delivery limit, twice');
    const origin = again ? originProperties(message) : {};
    await this.publisher.publish(to, { ...messageProperties(message), ...origin, headers: marked });
    this.logger.warn({ queue: this.queue, again }, 'a message came to its delivery limit');
    return DONE;
  }
}
