import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Actor, Form } from '@form-webhooks/storage';
import { Changes } from '../changes/changes.js';

/** Looks that follow each other within this time are one view. */
const SAME_VIEW_MS = 60_000;
/** A page that stays open all day is an entry an hour, so that the log says of each hour who could see it. */
const LONGEST_VIEW_MS = 3_600_000;
const MAX_REMEMBERED = 10_000;

interface View {
  readonly notedAt: number;
  readonly seenAt: number;
}

/** Writes down who looked at a payload. A page that is reloaded, polled or left open is one view. */
@Injectable()
export class PayloadViews {
  private readonly noted = new LRUCache<string, View>({ max: MAX_REMEMBERED });

  constructor(private readonly changes: Changes) {}

  /** Resolves once the entry is there: no payload is shown without one. */
  async note(by: Actor, form: Form, deliveryId: string): Promise<void> {
    const view = `${by.actor} ${by.ip ?? ''} ${deliveryId}`;
    const now = Date.now();
    const notedAt = this.goingOnSince(view, now);
    if (notedAt === undefined) {
      await this.changes.commit(by, (change) => {
        change.audit({
          workspaceId: form.workspaceId,
          formId: form.id,
          action: 'payload.viewed',
          target: { type: 'delivery', id: deliveryId },
        });
        return Promise.resolve();
      });
    }
    this.noted.set(view, { notedAt: notedAt ?? now, seenAt: now });
  }

  /** When the entry of a view was written that is not over yet. */
  private goingOnSince(view: string, now: number): number | undefined {
    const found = this.noted.get(view);
    if (!found || now - found.seenAt >= SAME_VIEW_MS || now - found.notedAt >= LONGEST_VIEW_MS) return undefined;
    return found.notedAt;
  }
}
