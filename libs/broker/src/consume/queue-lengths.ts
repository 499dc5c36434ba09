import { inTime, OnceAMinute } from '@form-webhooks/domain';
import type { Channel } from 'amqplib';
import type { BrokerLogger } from '../broker-logger.js';
import { isAccessRefused, isNotFound } from '../topology.js';
import type { BrokerLink, Session } from '../connection/broker-link.js';

const ASK_EACH_MS = 2_000;
/** A queue whose leader is lost answers after a minute, or once it has one again [trap 20]. */
const ANSWER_MS = 3_000;

/** A queue as the broker told of it. */
export interface QueueLength {
  readonly queue: string;
  /** That nobody has taken. */
  readonly messages: number;
  readonly consumers: number;
}

/**
 * How many messages wait in some queues, asked of the broker every few seconds. Whoever is connected may ask. Of a queue
 * that gives no answer nothing is told, rather than what was true before, and it hides no other one.
 */
export class QueueLengths {
  private readonly latest = new Map<string, QueueLength>();
  /** Each has a channel that waits: asked again and again, they would use up those of the connection. */
  private unanswered = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private session: Session | undefined;
  private readonly refusals = new OnceAMinute();

  constructor(
    link: BrokerLink,
    private readonly queues: readonly string[],
    private readonly logger: BrokerLogger,
    private readonly askEachMs = ASK_EACH_MS,
    private readonly answerMs = ANSWER_MS,
  ) {
    link.addStep((session) => {
      clearTimeout(this.timer);
      this.session = session;
      this.unanswered = new Set();
      // Not waited for: nothing depends on it.
      void this.ask(session);
      return Promise.resolve();
    });
  }

  /** As the broker told last; 0 if it has told nothing, infinity while the queue owes its answer and takes no message. */
  lengthOf(queue: string): number {
    return this.unanswered.has(queue) ? Infinity : (this.latest.get(queue)?.messages ?? 0);
  }

  /** What the broker told last, of each queue that is there; nothing while it is away. */
  get all(): readonly QueueLength[] {
    return this.session?.open === true ? [...this.latest.values()] : [];
  }

  /** Never rejects. */
  private async ask(session: Session): Promise<void> {
    try {
      let channel = await session.openExpendableChannel();
      for (const queue of this.queues.filter((one) => !this.unanswered.has(one))) {
        if (await this.askOne(channel, queue)) continue;
        channel = await session.openExpendableChannel();
      }
      await channel.close();
    } catch (error) {
      this.logger.debug({ err: error }, 'the messages of queues could not be counted');
    }
    this.timer = setTimeout(() => {
      if (session.open) void this.ask(session);
    }, this.askEachMs).unref();
  }

  /** @returns whether the channel can be used on: not if the queue is not there, or still owes its answer */
  private async askOne(channel: Channel, queue: string): Promise<boolean> {
    const answer = channel.checkQueue(queue);
    try {
      if (await inTime(answer, this.answerMs)) {
        const { messageCount: messages, consumerCount: consumers } = await answer;
        this.latest.set(queue, { queue, messages, consumers });
        return true;
      }
      this.leaveOut(queue, channel, answer);
    } catch (error) {
      // The broker closes the channel then.
      if (isAccessRefused(error)) this.tellRefusal(queue, error);
      else if (!isNotFound(error)) throw error;
    }
    this.latest.delete(queue);
    return false;
  }

  /** From RabbitMQ 4.3.1 on, looking takes some right on the queue; versions 4.2.6 and 4.3.0 ask for that to declare it. */
  private tellRefusal(queue: string, error: unknown): void {
    if (!this.refusals.isDue()) return;
    const facts = { queue, err: error, see: 'docs/security.md#users-of-the-broker' };
    this.logger.warn(facts, 'the broker does not let this user look at a queue: its messages are not counted');
  }

  /** Until it has answered, or the connection has ended. */
  private leaveOut(queue: string, channel: Channel, answer: Promise<unknown>): void {
    const { unanswered } = this;
    unanswered.add(queue);
    void answer
      .then(() => channel.close())
      .catch((error: unknown) => this.logger.debug({ err: error, queue }, 'a queue was not counted'))
      .finally(() => unanswered.delete(queue));
  }
}
