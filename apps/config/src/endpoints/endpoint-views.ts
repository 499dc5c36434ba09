import { Injectable } from '@nestjs/common';
import { showOwnSchedule, type EventName } from '@form-webhooks/domain';
import type { EndpointDto, PageQueryDto } from '@form-webhooks/http-api';
import { DeliverySettings } from '@form-webhooks/settings';
import {
  currentHints,
  DataSource,
  findEndpoint,
  headerNames,
  lastDeliveries,
  listEndpoints,
  type Endpoint,
  type Form,
} from '@form-webhooks/storage';
import { pageLimit, readRowCursor, rowCursor, toPage, type Page } from '../http/page.js';
import { ApiSettings } from '../http/api-settings.js';
import { notFound } from '../http/problems.js';

/** Endpoints as the API shows them: never with a secret or a header's value. */
@Injectable()
export class EndpointViews {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: ApiSettings,
    private readonly delivery: DeliverySettings,
  ) {}

  async list(form: Form, query: PageQueryDto): Promise<Page<EndpointDto>> {
    const limit = pageLimit(query, this.settings.maxPageSize);
    const rows = await listEndpoints(this.dataSource.manager, form, limit + 1, readRowCursor(query.cursor));
    const shown = await this.show(form, rows);
    return toPage(rows, limit, (row) => shown.get(row.id)!, rowCursor);
  }

  /** @throws Problem 404 */
  async one(form: Form, id: string): Promise<EndpointDto> {
    const endpoint = await findEndpoint(this.dataSource.manager, form, id);
    if (!endpoint) throw notFound('endpoint');
    return this.of(form, endpoint);
  }

  async of(form: Form, endpoint: Endpoint): Promise<EndpointDto> {
    const shown = await this.show(form, [endpoint]);
    return shown.get(endpoint.id)!;
  }

  private async show(form: Form, endpoints: readonly Endpoint[]): Promise<ReadonlyMap<string, EndpointDto>> {
    const ids = endpoints.map((endpoint) => endpoint.id);
    const [hints, headers, lastAt] = await Promise.all([
      currentHints(this.dataSource.manager, ids),
      headerNames(this.dataSource.manager, ids),
      lastDeliveries(this.dataSource.manager, form.id, ids),
    ]);
    return new Map(
      endpoints.map((endpoint) => [
        endpoint.id,
        showEndpoint(endpoint, {
          hint: hints.get(endpoint.id) ?? '',
          headers: headers.get(endpoint.id) ?? [],
          lastDeliveryAt: lastAt.get(endpoint.id) ?? null,
          attemptsAllowed: 1 + (endpoint.retrySchedule ?? this.delivery.retrySchedule).length,
        }),
      ]),
    );
  }
}

/** What is shown of an endpoint and stands in other tables or in settings. */
interface Beside {
  readonly hint: string;
  readonly headers: readonly string[];
  readonly lastDeliveryAt: Date | null;
  readonly attemptsAllowed: number;
}

const showEndpoint = (endpoint: Endpoint, { hint, headers, lastDeliveryAt, attemptsAllowed }: Beside): EndpointDto => ({
  id: endpoint.id,
  form_id: endpoint.formId,
  url: endpoint.url,
  description: endpoint.description,
  events: endpoint.events as EventName[],
  enabled: endpoint.enabled,
  disabled_reason: endpoint.disabledReason,
  // A release before, beside this one during a deployment, switches on without taking the moment away.
  disabled_at: endpoint.enabled ? null : (endpoint.disabledAt?.toISOString() ?? null),
  header_names: [...headers],
  retry_statuses: endpoint.retryStatuses,
  redirect_is_success: endpoint.redirectIsSuccess,
  retry_schedule: showOwnSchedule(endpoint.retrySchedule),
  attempts_allowed: attemptsAllowed,
  rate_limit: endpoint.rateLimit,
  version: endpoint.version,
  created_at: endpoint.createdAt.toISOString(),
  updated_at: endpoint.updatedAt.toISOString(),
  secret_hint: hint,
  last_delivery_at: lastDeliveryAt?.toISOString() ?? null,
});
