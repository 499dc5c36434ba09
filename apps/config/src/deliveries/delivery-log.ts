import { Injectable } from '@nestjs/common';
import type {
  AttemptDto,
  DeliveryDetailDto,
  DeliveryDto,
  DeliveryListDto,
  DeliveryQueryDto,
} from '@form-webhooks/http-api';
import {
  attemptsOf,
  DataSource,
  findDelivery,
  retainedDays,
  searchDeliveries,
  tailOf,
  type Form,
  type StoredAttempt,
} from '@form-webhooks/storage';
import { tooManyRequests } from '@form-webhooks/http-edge';
import type { CallerIdentity } from '../access/caller-identity.js';
import { logCursor, pageLimit, readLogCursor } from '../http/page.js';
import { notFound } from '../http/problems.js';
import { LogReads } from '../in-flight/log-reads.js';
import { WorkspaceTurns } from '../in-flight/workspace-turns.js';
import { ConfigSettings } from '../settings.js';
import { showAttempt, showDelivery, showDetail, type DeliveryParts } from './delivery-views.js';
import { filterOf } from './log-filter.js';
import { PayloadViews } from './payload-views.js';

/** Deliveries of a workspace that are put together at a time: a payload of up to 1 MiB is held for each. */
const SHOWN_AT_A_TIME = 4;
/** As with searches: a page that is opened asks for few. */
const WAITING_PER_SHOWN = 16;
const RETRY_AFTER_MS = 1_000;

const hasAnswer = ({ response_excerpt, response_bytes }: StoredAttempt): boolean =>
  (response_excerpt ?? '') !== '' || response_bytes !== null;

/** Reads the delivery log of a form that the caller may see. */
@Injectable()
export class DeliveryLog {
  private readonly turns = new WorkspaceTurns(
    SHOWN_AT_A_TIME,
    () =>
      tooManyRequests(
        RETRY_AFTER_MS,
        'Too many deliveries of this workspace are being shown at a time.',
        'too_many_at_a_time',
      ),
    WAITING_PER_SHOWN,
  );

  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: ConfigSettings,
    private readonly views: PayloadViews,
    private readonly reads: LogReads,
  ) {}

  /** @throws Problem 422, 429 */
  async list(form: Form, query: DeliveryQueryDto): Promise<DeliveryListDto> {
    const limit = pageLimit(query, this.settings.api.maxPageSize);
    const after = readLogCursor(query.cursor);
    const page = { limit, order: query.order ?? 'desc', ...(after && { after }) };
    const { rows, next } = await this.reads.read(form.workspaceId, (tx, now) => {
      const retained = retainedDays(now.getTime(), this.settings.retention.days);
      return searchDeliveries(tx, form.id, filterOf(query), page, retained);
    });
    return { items: rows.map(showDelivery), next_cursor: logCursor(next) };
  }

  /** As lists show it. @throws Problem 404 */
  async one(form: Form, deliveryId: string): Promise<DeliveryDto> {
    const delivery = await findDelivery(this.dataSource.manager, form.id, deliveryId);
    if (!delivery) throw notFound('delivery');
    return showDelivery(delivery);
  }

  /** @throws Problem 404, 429 */
  async detail(by: CallerIdentity, form: Form, deliveryId: string): Promise<DeliveryDetailDto> {
    return showDetail(await this.partsOf(by, form, deliveryId));
  }

  /** One of the attempts that the delivery shows, with its body. @throws Problem 404, 429 */
  async attempt(by: CallerIdentity, form: Form, deliveryId: string, attemptId: string): Promise<AttemptDto> {
    const parts = await this.partsOf(by, form, deliveryId);
    const attempt = parts.attempts.find(({ attempt_id }) => attempt_id === attemptId);
    if (!attempt) throw notFound('attempt');
    return showAttempt(parts, attempt);
  }

  /** Who waits for a turn holds nothing: else all who ask at once would each hold a payload until the last has it. */
  private partsOf(by: CallerIdentity, form: Form, deliveryId: string): Promise<DeliveryParts> {
    return this.turns.run(form.workspaceId, () => this.readParts(by, form, deliveryId));
  }

  /** No payload is shown without an audit entry, nor what a receiver answered: that may repeat it. */
  private async readParts(by: CallerIdentity, form: Form, deliveryId: string): Promise<DeliveryParts> {
    const tx = this.dataSource.manager;
    const withPayload = by.may('payload:read');
    const delivery = await findDelivery(tx, form.id, deliveryId);
    if (!delivery) throw notFound('delivery');
    const [attempts, tail] = [await attemptsOf(tx, delivery), withPayload ? await tailOf(tx, delivery) : null];
    const showsAnswers = withPayload && attempts.some(hasAnswer);
    if (tail || showsAnswers) await this.views.note(by, form, deliveryId);
    return { delivery, attempts, tail, withPayload };
  }
}
