import { Injectable } from '@nestjs/common';
import {
  Broker,
  ParkedMessages,
  parkedQueues,
  QUEUES,
  type ReviewedMessage,
  type ReviewVerdict,
} from '@form-webhooks/broker';
import { decodeLogBatch, encodeLogBatch, UnreadableMessage, type LogRecord } from '@form-webhooks/messages';
import { DataSource, LOCKS, withLock, type SubmissionKey } from '@form-webhooks/storage';

/** More than anyone leaves parked in one queue. Beyond it an erasure isn't finished until somebody has emptied it. */
const MAX_REVIEWED = 100_000;

/** Copies of a submission's data in messages that were parked, which nothing else would ever take away. */
@Injectable()
export class ParkedCopies {
  private readonly parked: ParkedMessages;
  private waiting: SubmissionKey[] = [];
  private next: Promise<void> | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    broker: Broker,
    private readonly dataSource: DataSource,
  ) {
    this.parked = new ParkedMessages(broker);
  }

  /**
   * Removes them. What can't be read is left: nobody can tell whose it is. Erasures at the same time share one look
   * through the queues, so that many of them cost little more than one.
   * @throws if the broker is away, or more is parked than can be looked through
   */
  purge(key: SubmissionKey): Promise<void> {
    this.waiting.push(key);
    this.next ??= this.running.then(() => {
      const keys = new SubmissionKeys(this.waiting);
      this.waiting = [];
      this.next = undefined;
      const review = withLock(this.dataSource, LOCKS.parkedReview, () => this.review(keys));
      this.running = review.catch(() => undefined);
      return review;
    });
    return this.next;
  }

  private async review(keys: SubmissionKeys): Promise<void> {
    const found = await this.parked.count();
    const full = found.find(({ messages }) => messages > MAX_REVIEWED);
    if (full) throw new Error(`${full.queue} holds ${full.messages} messages, too many to look through for an erasure`);
    for (const { parked, work } of parkedQueues()) {
      const judge =
        work === QUEUES.deliveryLog ? judgeBatch : work === QUEUES.formEvents ? judgeFormEvent : judgeMessage;
      await this.parked.review(parked, MAX_REVIEWED, (message) => judge(message, keys));
    }
  }
}

/** The submissions that one look through the queues is for. */
class SubmissionKeys {
  private readonly keys: ReadonlySet<string>;

  constructor(keys: readonly SubmissionKey[]) {
    this.keys = new Set(keys.map(({ formId, submissionId }) => `${formId}/${submissionId}`));
  }

  has(formId: unknown, submissionId: unknown): boolean {
    return this.keys.has(`${String(formId)}/${String(submissionId)}`);
  }
}

/** Events and deliveries name the submission in their headers. */
const judgeMessage = ({ headers }: ReviewedMessage, erased: SubmissionKeys): ReviewVerdict =>
  erased.has(headers['form_id'], headers['submission_id']) ? 'discard' : 'keep';

/** The form service's own messages name it in their body. */
function judgeFormEvent({ body }: ReviewedMessage, erased: SubmissionKeys): ReviewVerdict {
  const event = readJson(body) as { form_id?: unknown; submission_id?: unknown } | null | undefined;
  return erased.has(event?.form_id, event?.submission_id) ? 'discard' : 'keep';
}

/** Records of many submissions travel together: only those of this one go. */
function judgeBatch({ body }: ReviewedMessage, erased: SubmissionKeys): ReviewVerdict {
  const records = readBatch(body);
  const kept = records.filter((record) => record.kind === 'fence' || !erased.has(record.formId, record.submissionId));
  if (kept.length === records.length) return 'keep';
  return kept.length === 0 ? 'discard' : encodeLogBatch(kept);
}

function readBatch(body: Buffer): LogRecord[] {
  try {
    return decodeLogBatch(body);
  } catch (error) {
    if (error instanceof UnreadableMessage) return [];
    throw error;
  }
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
