import { QUEUES, type ReviewedMessage, type ReviewVerdict } from '@form-webhooks/broker';
import { decodeLogBatch, encodeLogBatch, UnreadableMessage, type LogRecord } from '@form-webhooks/messages';
import type { ClaimedSubmission } from '@form-webhooks/storage';

/** Whose data a parked message holds. */
export interface ParkedContents {
  readonly submissions: readonly ClaimedSubmission[];
  /** What is left of the message without the data of those that were erased. */
  without(isErased: (submission: ClaimedSubmission) => boolean): ReviewVerdict;
}

/** Reads a message that was parked from a work queue. What can't be read is nobody's: nobody can tell whose it is. */
export function contentsOf(work: string, message: ReviewedMessage): ParkedContents {
  if (work === QUEUES.deliveryLog) return ofRecords(readBatch(message.body));
  return ofOne(work === QUEUES.formEvents ? submissionInBody(message.body) : submissionInHeaders(message.headers));
}

/** Events and deliveries name the submission in their headers. */
const submissionInHeaders = (headers: ReviewedMessage['headers']): ClaimedSubmission => ({
  formId: headers['form_id'],
  submissionId: headers['submission_id'],
});

/** The form service's own messages name it in their body. */
function submissionInBody(body: Buffer): ClaimedSubmission {
  const event = readJson(body) as { form_id?: unknown; submission_id?: unknown } | null | undefined;
  return { formId: event?.form_id, submissionId: event?.submission_id };
}

const ofOne = (submission: ClaimedSubmission): ParkedContents => ({
  submissions: [submission],
  without: (isErased) => (isErased(submission) ? 'discard' : 'keep'),
});

/** Records of many submissions travel together: only those of the erased ones go. */
const ofRecords = (records: readonly LogRecord[]): ParkedContents => ({
  submissions: records.filter((record) => record.kind !== 'fence'),
  without: (isErased) => {
    const kept = records.filter((record) => record.kind === 'fence' || !isErased(record));
    if (kept.length === records.length) return 'keep';
    return kept.length === 0 ? 'discard' : encodeLogBatch(kept);
  },
});

/** The records of a parked batch; none if it can't be read. */
export function readBatch(body: Buffer): LogRecord[] {
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
