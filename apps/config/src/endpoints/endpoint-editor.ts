import { Injectable } from '@nestjs/common';
import { EVENT_NAMES, randomEndpointId } from '@form-webhooks/domain';
import type { CreateEndpointDto, UpdateEndpointDto } from '@form-webhooks/http-api';
import { conflict } from '@form-webhooks/http-edge';
import {
  countEndpoints,
  DataSource,
  deleteSecretsOf,
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
import { notFound } from '../http/problems.js';
import { auditEndpoint, changedFields } from './endpoint-audit.js';
import { EndpointSettings } from './endpoint-settings.js';
import { SigningSecrets, type ShownSecret } from './signing-secrets.js';
import { UrlCheck } from '../url-check/url-check.js';

/** Who changes an endpoint, and by which name of ours they reached us. */
export type Editor = Actor & { readonly calledAs?: string | undefined };

/** Creates, changes and deletes endpoints. A URL is checked outside any transaction: that can take many seconds. */
@Injectable()
export class EndpointEditor {
  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: Changes,
    private readonly urlCheck: UrlCheck,
    private readonly secrets: SigningSecrets,
    private readonly settings: EndpointSettings,
  ) {}

  /** @returns the endpoint, and its signing secret for the one time that it is shown */
  async create(by: Editor, form: Form, given: CreateEndpointDto): Promise<{ endpoint: Endpoint; secret: ShownSecret }> {
    await this.refuseOneTooMany(this.dataSource.manager, form);
    const url = await this.checked(by, form, given.url);
    return this.changes.commit(by, async (change) => {
      const locked = await lockForm(change.tx, form.id);
      if (!locked || locked.deletedAt) throw notFound('form');
      await this.refuseOneTooMany(change.tx, form);
      const endpoint = newEndpoint(form, url, given, change.at);
      await insertEndpoint(change.tx, endpoint);
      const secret = await this.secrets.create(change.tx, endpoint, 'current', change.at);
      auditEndpoint(change, endpoint, 'endpoint.created', changedFields(undefined, endpoint));
      await change.announce({ kind: 'form', form_id: form.id });
      return { endpoint, secret };
    });
  }

  /** @throws Problem 404, 412, 422, 429, 503 */
  async update(by: Editor, form: Form, id: string, given: UpdateEndpointDto, ifMatch?: string): Promise<Endpoint> {
    const before = await findEndpoint(this.dataSource.manager, form, id);
    if (!before) throw notFound('endpoint');
    checkIfMatch(ifMatch, before.version);
    const url =
      given.url === undefined || given.url === before.url ? undefined : await this.checked(by, form, given.url);
    return this.changes.commit(by, async (change) => {
      const current = await this.lock(change.tx, form, id, ifMatch);
      const wanted = applied(current, given, url);
      const changes = changedFields(current, wanted);
      if (changes.length === 0) return current;
      const updated: Endpoint = { ...wanted, version: current.version + 1, updatedAt: change.at };
      await updateEndpoint(change.tx, updated);
      auditEndpoint(change, updated, 'endpoint.updated', changes);
      await change.announce({ kind: 'form', form_id: form.id });
      return updated;
    });
  }

  /** Deletes the endpoint and its secrets; what waits for it ends `cancelled` when it falls due. */
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
      await deleteSecretsOf(change.tx, id);
      auditEndpoint(change, removed, 'endpoint.deleted', [{ field: 'url', old: current.url, new: null }]);
      await change.announce({ kind: 'form', form_id: form.id });
    });
  }

  private checked(by: Editor, { workspaceId }: Form, url: string): Promise<string> {
    return this.urlCheck.check(url, { workspaceId, calledAs: by.calledAs });
  }

  private async lock(tx: Transaction, form: Form, id: string, ifMatch: string | undefined): Promise<Endpoint> {
    const endpoint = await lockEndpoint(tx, form, id);
    if (!endpoint) throw notFound('endpoint');
    checkIfMatch(ifMatch, endpoint.version);
    return endpoint;
  }

  private async refuseOneTooMany(tx: Transaction, form: Form): Promise<void> {
    const { maxPerForm } = this.settings;
    if ((await countEndpoints(tx, form)) < maxPerForm) return;
    throw conflict(`A form has at most ${maxPerForm} endpoints; delete one first.`, 'limit_reached');
  }
}

function newEndpoint(form: Form, url: string, given: CreateEndpointDto, at: Date): Endpoint {
  const enabled = given.enabled ?? true;
  return {
    id: randomEndpointId(),
    workspaceId: form.workspaceId,
    formId: form.id,
    url,
    description: given.description ?? null,
    events: inOrder(given.events ?? EVENT_NAMES),
    enabled,
    disabledReason: enabled ? null : 'owner',
    version: 1,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  };
}

function applied(current: Endpoint, given: UpdateEndpointDto, url: string | undefined): Endpoint {
  const enabled = given.enabled ?? current.enabled;
  return {
    ...current,
    url: url ?? current.url,
    description: given.description === undefined ? current.description : given.description,
    events: given.events === undefined ? current.events : inOrder(given.events),
    enabled,
    disabledReason: enabled ? null : (current.disabledReason ?? 'owner'),
  };
}

/** In one order, so that the same choice in another order is no change. */
const inOrder = (events: readonly string[]): string[] => EVENT_NAMES.filter((name) => events.includes(name));
