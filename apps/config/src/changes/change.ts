import { deliveryHeaders, encodeConfigChange, type ConfigChange, type DeliveryMessage } from '@form-webhooks/messages';
import type { LiveTopic } from '@form-webhooks/http-api';
import {
  addToOutbox,
  addWithPayload,
  appendAudit,
  type Actor,
  type AuditEvent,
  type LoggedDelivery,
  type Transaction,
} from '@form-webhooks/storage';

/** A form that a change was about, and what of it. */
export interface TouchedForm {
  readonly formId: string;
  readonly topic: LiveTopic;
}

/** One change while its transaction is open: what is written, audited and announced commits together or not at all. */
export class Change {
  private readonly audits: AuditEvent[] = [];
  private readonly outboxIds: string[] = [];
  private readonly seen: TouchedForm[] = [];

  constructor(
    readonly tx: Transaction,
    readonly by: Actor,
    /** The moment of the change, the same in every row that it writes. */
    readonly at: Date,
  ) {}

  /** Writes the entry at the end of the transaction, so that the workspace's chain is locked as briefly as possible. */
  audit(event: AuditEvent): void {
    this.audits.push(event);
    const topic = topicOf(event.action);
    if (event.formId !== null && topic) this.seen.push({ formId: event.formId, topic });
  }

  /** Tells every service that caches it to drop its copy, once the change has committed. */
  async announce(change: ConfigChange): Promise<void> {
    const body = encodeConfigChange(change);
    this.outboxIds.push(await addToOutbox(this.tx, { kind: 'config_change', headers: {}, body }));
  }

  /** Hands a delivery to the dispatchers, once the change has committed. */
  async deliver(message: DeliveryMessage): Promise<void> {
    const row = { kind: 'delivery', headers: deliveryHeaders(message), body: message.tail } as const;
    this.outboxIds.push(await addToOutbox(this.tx, row));
    this.seen.push({ formId: message.formId, topic: 'deliveries' });
  }

  /**
   * The same for deliveries whose payload the log has: it never passes through this process.
   * @throws Error if the log has none of one: lock its event first
   */
  async deliverLogged(deliveries: readonly LoggedDelivery[]): Promise<void> {
    const added = await addWithPayload(this.tx, deliveries);
    if (added.size < deliveries.length) throw new Error('the log has no payload of a delivery that was begun');
    this.outboxIds.push(...added.values());
    for (const { headers } of deliveries) this.seen.push({ formId: String(headers['form_id']), topic: 'deliveries' });
  }

  /** What pages that show one of these forms must read again, once the change has committed. */
  get touched(): readonly TouchedForm[] {
    return this.seen;
  }

  /** The last statements before the commit. @returns the outbox rows that it leaves behind */
  async finish(): Promise<readonly string[]> {
    // In one order over all transactions, so that two that write to the same chains can't wait for each other.
    const ordered = this.audits.toSorted((a, b) =>
      a.workspaceId < b.workspaceId ? -1 : Number(a.workspaceId > b.workspaceId),
    );
    for (const event of ordered) await appendAudit(this.tx, this.by, event, this.at);
    return this.outboxIds;
  }
}

/** By the first word of an audit action; what pages do not show is not here. */
const TOPICS: ReadonlyMap<string, LiveTopic> = new Map([
  ['form', 'endpoints'],
  ['endpoint', 'endpoints'],
  ['secret', 'endpoints'],
  ['delivery', 'deliveries'],
  ['event', 'deliveries'],
  ['submission', 'deliveries'],
  ['replay', 'replays'],
]);

const topicOf = (action: string): LiveTopic | undefined => TOPICS.get(action.split('.')[0]!);
