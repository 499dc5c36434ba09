import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Actor, Form } from '@form-webhooks/storage';
import { Changes } from '../changes/changes.js';

const SAME_VIEW_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/** Writes down who looked at a payload. A page that is reloaded or polled within a minute is one view. */
@Injectable()
export class PayloadViews {
  private readonly noted = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: SAME_VIEW_MS });

  constructor(private readonly changes: Changes) {}

  /** Resolves once the entry is there: no payload is shown without one. */
  async note(by: Actor, form: Form, deliveryId: string): Promise<void> {
    const view = `${by.actor} ${by.ip ?? ''} ${deliveryId}`;
    if (this.noted.has(view)) return;
    await this.changes.commit(by, (change) => {
      change.audit({
        workspaceId: form.workspaceId,
        formId: form.id,
        action: 'payload.viewed',
        target: { type: 'delivery', id: deliveryId },
      });
      return Promise.resolve();
    });
    this.noted.set(view, true);
  }
}
