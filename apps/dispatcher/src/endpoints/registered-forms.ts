import { LRUCache } from 'lru-cache';
import type { FormEndpointsReply } from '@form-webhooks/messages';

/** An id each, so far more than forms that are kept whole. */
const MAX_FORMS = 100_000;
/** Whoever registers a form again makes its endpoints next: so long after it was seen missing it is not whole yet. */
const SET_UP_MS = 120_000;

/**
 * Tells a form that config's database has lost from one that it has never had. Rows of deleted forms stay, so a form
 * that was registered and is neither that nor deleted now shows that the database is another one than then.
 */
export class RegisteredForms {
  /** When each form that was registered was last seen to be missing, ms. */
  private readonly missingAt = new LRUCache<string, number>({ max: MAX_FORMS });

  /** @returns whether the form that config just told of is missing, or about to be made again */
  note(
    formId: string,
    { registered, deleted, endpoints }: Pick<FormEndpointsReply, 'registered' | 'deleted' | 'endpoints'>,
    now = performance.now(),
  ): boolean {
    const missingAt = this.missingAt.get(formId);
    if (registered) {
      this.missingAt.set(formId, missingAt ?? -Infinity);
      return endpoints.length === 0 && now < (missingAt ?? -Infinity) + SET_UP_MS;
    }
    if (deleted) this.missingAt.delete(formId);
    if (deleted || missingAt === undefined) return false;
    this.missingAt.set(formId, now);
    return true;
  }
}
