import { Injectable } from '@nestjs/common';
import { EVENT_NAMES, randomEndpointId } from '@form-webhooks/domain';
import type { CreateEndpointDto, UpdateEndpointDto } from '@form-webhooks/http-api';
import {
  DataSource,
  deleteSealedOf,
  findEndpoint,
  insertEndpoint,
  lockEndpoint,
  lockForm,
  updateEndpoint,
  type Actor,
  type Endpoint,
  type Form,
  type Transaction,
} from '@form-webhooks/storage';
import { Changes } from '../changes/changes.js';
import { checkIfMatch } from '../http/etag.js';
import { formNotFound, notFound } from '../http/problems.js';
import { auditEndpoint, changedFields } from './endpoint-audit.js';
import { EndpointRules, type Editor } from './endpoint-rules.js';
import { EndpointHeaders } from './headers/endpoint-headers.js';
import { SigningSecrets, type ShownSecret } from './signing-secrets.js';

/** Creates, changes and deletes endpoints. A URL is checked outside any transaction: that can take many seconds. */
@Injectable()
export class EndpointEditor {
  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: Changes,
    private readonly rules: EndpointRules,
    private readonly secrets: SigningSecrets,
    private readonly headers: EndpointHeaders,
  ) {}

  /** @returns the endpoint, and its signing secret for the one time that it is shown */
  async create(by: Editor, form: Form, given: CreateEndpointDto): Promise<{ endpoint: Endpoint; secret: ShownSecret }> {
    const headers = this.headers.read(given.headers, false);
    const retrySchedule = this.rules.readSchedule(given.retry_schedule) ?? null;
    await this.rules.refuseOneTooMany(this.dataSource.manager, form);
    const url = await this.rules.checkUrl(by, form, given.url, given.redirect_is_success ?? false);
    return this.changes.commit(by, async (change) => {
      const locked = await lockForm(change.tx, form.id);
      if (!locked || locked.deletedAt) throw formNotFound();
      await this.rules.refuseOneTooMany(change.tx, form);
      if (given.allow_duplicate_url !== true) await this.rules.refuseUrlInUse(change.tx, form, url);
      const endpoint = newEndpoint(form, { url, retrySchedule }, given, change.at);
      await insertEndpoint(change.tx, endpoint);
      const secret = await this.secrets.create(change, endpoint, 'current');
      const added = await this.headers.apply(change.tx, endpoint, { changes: headers }, change.at);
      auditEndpoint(change, endpoint, 'endpoint.created', [...changedFields(undefined, endpoint), ...added]);
      await change.announce({ kind: 'form', form_id: form.id });
      return { endpoint, secret };
    });
  }

  /** @throws Problem 404, 409, 412, 422, 429, 503 */
  async update(by: Editor, form: Form, id: string, given: UpdateEndpointDto, ifMatch?: string): Promise<Endpoint> {
    const before = await findEndpoint(this.dataSource.manager, form, id);
    if (!before) throw notFound('endpoint');
    checkIfMatch(ifMatch, before.version);
    const headers = this.headers.read(given.headers, true);
    const retrySchedule = this.rules.readSchedule(given.retry_schedule);
    const redirectIsSuccess = given.redirect_is_success ?? before.redirectIsSuccess;
    const url =
      given.url === undefined || given.url === before.url
        ? undefined
        : await this.rules.checkUrl(by, form, given.url, redirectIsSuccess);
    return this.changes.commit(by, async (change) => {
      // The form's lock comes first, as in all that takes both.
      if (url !== undefined) await lockForm(change.tx, form.id);
      const current = await this.lock(change.tx, form, id, ifMatch);
      if (url !== undefined && url !== current.url && given.allow_duplicate_url !== true) {
        await this.rules.refuseUrlInUse(change.tx, form, url);
      }
      const wanted = applied(current, given, { url, retrySchedule }, change.at);
      const changed = await this.headers.apply(change.tx, wanted, { changes: headers, before: current }, change.at);
      const changes = [...changedFields(current, wanted), ...changed];
      if (changes.length === 0) return current;
      const updated: Endpoint = { ...wanted, version: current.version + 1, updatedAt: change.at };
      await updateEndpoint(change.tx, updated);
      auditEndpoint(change, updated, 'endpoint.updated', changes);
      await change.announce({ kind: 'form', form_id: form.id });
      return updated;
    });
  }

  /** Deletes the endpoint, its secrets and headers; what waits for it ends `cancelled` when it falls due. */
  async remove(by: Actor, form: Form, id: string, ifMatch?: string): Promise<void> {
    await this.changes.commit(by, async (change) => {
      const current = await this.lock(change.tx, form, id, ifMatch);
      const removed: Endpoint = {
        ...current,
        version: current.version + 1,
        updatedAt: change.at,
        deletedAt: change.at,
      };
      await updateEndpoint(change.tx, removed);
      await deleteSealedOf(change.tx, [id]);
      auditEndpoint(change, removed, 'endpoint.deleted', [{ field: 'url', old: current.url, new: null }]);
      await change.announce({ kind: 'form', form_id: form.id });
    });
  }

  private async lock(tx: Transaction, form: Form, id: string, ifMatch: string | undefined): Promise<Endpoint> {
    const endpoint = await lockEndpoint(tx, form, id);
    if (!endpoint) throw notFound('endpoint');
    checkIfMatch(ifMatch, endpoint.version);
    return endpoint;
  }
}

/** Of what was given, as it was checked. */
type Checked = Pick<Endpoint, 'url' | 'retrySchedule'>;
type Undefinable<T> = { readonly [K in keyof T]: T[K] | undefined };

function newEndpoint(form: Form, checked: Checked, given: CreateEndpointDto, at: Date): Endpoint {
  const enabled = given.enabled ?? true;
  return {
    id: randomEndpointId(),
    workspaceId: form.workspaceId,
    formId: form.id,
    ...checked,
    description: given.description ?? null,
    events: inOrder(given.events ?? EVENT_NAMES),
    enabled,
    disabledReason: enabled ? null : 'owner',
    disabledAt: enabled ? null : at,
    retryStatuses: ascending(given.retry_statuses ?? null),
    redirectIsSuccess: given.redirect_is_success ?? false,
    rateLimit: given.rate_limit ?? null,
    version: 1,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  };
}

function applied(current: Endpoint, given: UpdateEndpointDto, checked: Undefinable<Checked>, at: Date): Endpoint {
  const enabled = given.enabled ?? current.enabled;
  return {
    ...current,
    url: checked.url ?? current.url,
    retrySchedule: checked.retrySchedule === undefined ? current.retrySchedule : checked.retrySchedule,
    description: given.description === undefined ? current.description : given.description,
    events: given.events === undefined ? current.events : inOrder(given.events),
    enabled,
    disabledReason: enabled ? null : (current.disabledReason ?? 'owner'),
    disabledAt: enabled ? null : current.enabled ? at : current.disabledAt,
    retryStatuses: given.retry_statuses === undefined ? current.retryStatuses : ascending(given.retry_statuses),
    redirectIsSuccess: given.redirect_is_success ?? current.redirectIsSuccess,
    rateLimit: given.rate_limit === undefined ? current.rateLimit : given.rate_limit,
  };
}

/** As with events. */
const ascending = (statuses: readonly number[] | null): number[] | null =>
  statuses && statuses.toSorted((a, b) => a - b);

/** In one order, so that the same choice in another order is no change. */
const inOrder = (events: readonly string[]): string[] => EVENT_NAMES.filter((name) => events.includes(name));
