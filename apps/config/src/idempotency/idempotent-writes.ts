import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Problem } from '@form-webhooks/http-edge';
import { SealingSettings } from '@form-webhooks/settings';
import {
  claimIdempotentWrite,
  DataSource,
  findIdempotentWrite,
  keepIdempotentAnswer,
  type IdempotencyId,
  type IdempotentWrite,
  type Transaction,
} from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import type { Claim } from '../changes/changes.js';
import { keyReused } from './idempotency-key.js';

/** A call that was carried out longer ago than any call takes, without a kept answer: its service ended in between. */
const ANSWERED_WITHIN_SECONDS = 60;

/** What a call was answered with. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What was asked, as texts that differ whenever two calls do. */
export type Asked = readonly string[];

/**
 * Writes that callers may repeat without making them twice. The key is taken in the transaction of the write itself,
 * so either both are there or none is, whatever ends in between; the answer is kept a moment later.
 */
@Injectable()
export class IdempotentWrites {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sealing: SealingSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @returns the answer if the call was made before, else the claim to make the change under
   * @throws Problem 409 if it was made but is not answered, 422 if the key stands for another call
   */
  async begin(id: IdempotencyId, asked: Asked): Promise<KeptAnswer | PendingWrite> {
    const requestHash = hashOf(asked);
    const known = await findIdempotentWrite(this.dataSource.manager, id);
    if (!known) return new PendingWrite(id, requestHash);
    if (!known.requestHash.equals(requestHash)) throw keyReused();
    return this.answerOf(id, known);
  }

  /** A change that is made is answered, whether its answer could be kept or not. */
  async keep({ id, taken }: PendingWrite, answer: KeptAnswer): Promise<void> {
    if (!taken) return;
    try {
      const sealed = this.sealing.keyRing.seal(JSON.stringify(answer), contextOf(id));
      await keepIdempotentAnswer(this.dataSource.manager, id, sealed);
    } catch (error) {
      this.logger.warn({ err: error }, 'an answer was not kept; the same call made again gets a 409');
    }
  }

  private answerOf(id: IdempotencyId, { sealedAnswer, ageSeconds }: IdempotentWrite): KeptAnswer {
    if (sealedAnswer === null) throw ageSeconds < ANSWERED_WITHIN_SECONDS ? notYetAnswered() : answerLost();
    try {
      return JSON.parse(this.sealing.keyRing.open(sealedAnswer, contextOf(id))) as KeptAnswer;
    } catch (error) {
      // The key that sealed it has left the ring since.
      this.logger.warn({ err: error }, 'a kept answer does not open');
      throw answerLost();
    }
  }
}

/** A call under a new key. It takes the key with its first change; without a change there is nothing to take. */
export class PendingWrite implements Claim {
  taken = false;

  constructor(
    readonly id: IdempotencyId,
    private readonly requestHash: Buffer,
  ) {}

  async take(tx: Transaction): Promise<void> {
    if (this.taken) return;
    if (!(await claimIdempotentWrite(tx, this.id, this.requestHash))) throw notYetAnswered();
    this.taken = true;
  }
}

const contextOf = ({ caller, key }: IdempotencyId) => ({ caller, idempotencyKey: key });

const hashOf = (asked: Asked): Buffer => createHash('sha256').update(JSON.stringify(asked)).digest();

const notYetAnswered = (): Problem =>
  new Problem(409, 'A call with this Idempotency-Key is being answered. Repeat this one in a moment.', {
    code: 'in_progress',
    retryAfterMs: 1_000,
  });

const answerLost = (): Problem =>
  new Problem(
    409,
    'This call was carried out, but its answer was lost. Look at what there is now; for another change take a new key.',
    { code: 'answer_lost' },
  );
