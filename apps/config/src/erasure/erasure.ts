import { Inject, Injectable } from '@nestjs/common';
import {
  DataSource,
  eraseStored,
  finishErasure,
  markErased,
  type Actor,
  type SubmissionKey,
} from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { Changes } from '../changes/changes.js';
import { ParkedCopies } from '../parked/parked-copies.js';

/** Erases a submission's data: payloads and answers go, the bare record of what was delivered when stays. */
@Injectable()
export class Erasure {
  constructor(
    private readonly changes: Changes,
    private readonly dataSource: DataSource,
    private readonly parkedCopies: ParkedCopies,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Whether there ever was such a submission or form is not asked: what comes later of it finds the tombstone. From the
   * answer on nothing of the submission is stored, replayed or, once dispatchers have heard of it, sent.
   * @returns false if what is stored already could not be erased at once: `ErasureFinisher` goes on trying
   */
  async erase(by: Actor, workspaceId: string, key: SubmissionKey): Promise<boolean> {
    await this.changes.commit(by, async (change) => {
      await markErased(change.tx, key, change.at);
      change.audit({
        workspaceId,
        formId: key.formId,
        action: 'submission.erased',
        target: { type: 'submission', id: key.submissionId },
      });
      await change.announce({ kind: 'form', form_id: key.formId });
    });
    try {
      await this.finish(key);
      return true;
    } catch (error) {
      this.logger.error({ err: error, form_id: key.formId }, 'stored data is erased later, the tombstone stands');
      return false;
    }
  }

  private async finish(key: SubmissionKey): Promise<void> {
    await eraseStored(this.dataSource, key);
    await this.parkedCopies.purge();
    await finishErasure(this.dataSource.manager, key);
  }
}
