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
import type { SubmissionKey } from '@form-webhooks/storage';

/** More than anyone leaves parked; what lies behind is reviewed by the next erasure. */
const MAX_REVIEWED = 10_000;

/** Copies of a submission's data in messages that were parked, which nothing else would ever take away. */
@Injectable()
export class ParkedCopies {
  private readonly parked: ParkedMessages;

  constructor(broker: Broker) {
    this.parked = new ParkedMessages(broker);
  }

  /** Removes them. What can't be read is left: nobody can tell whose it is. @throws if the broker is away */
  async purge(key: SubmissionKey): Promise<void> {
    for (const { parked, work } of parkedQueues()) {
      const judge =
        work === QUEUES.deliveryLog ? judgeBatch : work === QUEUES.formEvents ? judgeFormEvent : judgeMessage;
      await this.parked.review(parked, MAX_REVIEWED, (message) => judge(message, key));
    }
  }
}

/** Events and deliveries name the submission in their headers. */
const judgeMessage = ({ headers }: ReviewedMessage, { formId, submissionId }: SubmissionKey): ReviewVerdict =>
  headers['form_id'] === formId && headers['submission_id'] === submissionId ? 'discard' : 'keep';

/** The form service's own messages name it in their body. */
function judgeFormEvent({ body }: ReviewedMessage, { formId, submissionId }: SubmissionKey): ReviewVerdict {
  const event = readJson(body) as { form_id?: unknown; submission_id?: unknown } | null | undefined;
  return event?.form_id === formId && event.submission_id === submissionId ? 'discard' : 'keep';
}

/** Records of many submissions travel together: only those of this one go. */
function judgeBatch({ body }: ReviewedMessage, { formId, submissionId }: SubmissionKey): ReviewVerdict {
  const records = readBatch(body);
  const kept = records.filter(
    (record) => record.kind === 'fence' || record.formId !== formId || record.submissionId !== submissionId,
  );
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
