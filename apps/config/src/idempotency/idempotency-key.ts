import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { TextFormat } from '@form-webhooks/domain';
import { Answers } from '../http/documented.js';
import { invalid } from '../http/problems.js';

export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';
/** On an answer that is given again: nothing was done for it. */
export const REPLAYED_HEADER = 'idempotency-replayed';

export const IDEMPOTENCY_METADATA = 'idempotency:taken';

const NOT_ANSWERED_YET = 'A call with the same Idempotency-Key is being answered, or its answer was lost';

const KEY_FORMAT: TextFormat = {
  pattern: /^[A-Za-z0-9._:-]{1,64}$/,
  words: '1 to 64 letters, digits or any of . _ : -',
};

/**
 * For a write that would be made twice if it were asked twice, in one `Changes.commit`. PUT and DELETE need no key:
 * repeated they change nothing more.
 * @param conflict what else the route answers with 409
 */
export const TakesIdempotencyKey = (conflict?: string): MethodDecorator =>
  applyDecorators(
    SetMetadata(IDEMPOTENCY_METADATA, true),
    ApiHeader({
      name: IDEMPOTENCY_KEY_HEADER,
      required: false,
      description:
        'A new random text for each thing to do. Repeated with the same key within 24 hours, the call does nothing and gives the first answer again',
      schema: { type: 'string', pattern: KEY_FORMAT.pattern.source },
    }),
    Answers(409, conflict === undefined ? NOT_ANSWERED_YET : `${conflict}. ${NOT_ANSWERED_YET}`),
  );

/** @throws Problem 422 */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  // Node joins a repeated header with a comma, which the pattern refuses.
  if (typeof header === 'string' && KEY_FORMAT.pattern.test(header)) return header;
  throw keyProblem('format', `Idempotency-Key must be ${KEY_FORMAT.words}.`);
}

/** The key stands for another request of this caller. */
export const keyReused = () =>
  keyProblem('idempotency_key_reused', 'This Idempotency-Key was used for another request. Take a new one.');

const keyProblem = (code: string, message: string) => invalid({ field: 'Idempotency-Key', code, message });
