import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TO_LOG } from '@form-webhooks/broker';
import { EVENT_NAMES, type FormId } from '@form-webhooks/domain';
import { SCOPES, WORKSPACE_SCOPES, type Scope } from '@form-webhooks/http-api';
import { encodeLogBatch } from '@form-webhooks/messages';
import { anAttempt, anEvent, aStep } from '../support/config/delivery-log.js';
import { ConfigStage, type Answer } from '../support/config/config-stage.js';

const VERBS = ['get', 'put', 'post', 'patch', 'delete'] as const;

interface Route {
  readonly verb: string;
  readonly path: string;
  readonly scopes: readonly Scope[];
  /** No credential is asked for. */
  readonly isOpen: boolean;
  /** What its query must name. */
  readonly asks: readonly string[];
}

interface Operation {
  readonly 'x-required-scopes'?: Scope[];
  readonly security?: object[];
  readonly parameters?: { readonly in: string; readonly name: string; readonly required?: boolean }[];
}

/** What calls say that are refused for saying nothing, before anything is looked up. */
const BODIES: ReadonlyMap<string, object> = new Map([
  ['/v1/forms/{form_id}/endpoints/{endpoint_id}/secret/previous/{secret_id}', { overlap_seconds: 60 }],
]);

/** Every id that a path or a query can name, as one workspace has it. */
type Ids = Readonly<Record<string, string>>;

const stage = await ConfigStage.open({ REQUESTS_PER_MINUTE: '1000000', FAILED_AUTHENTICATIONS_PER_MINUTE: '10000' });
const routes = await describedRoutes();
afterAll(() => stage.close());

/** The routes as the OpenAPI document has them: a new one is walked without anybody thinking of it. */
async function describedRoutes(): Promise<Route[]> {
  const document = (await stage.call('GET', '/docs-json', { key: null })).body as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    VERBS.filter((verb) => operations[verb]).map((verb) => {
      const scopes = operations[verb]!['x-required-scopes'];
      if (!scopes) throw new Error(`${verb} ${path} names no scopes`);
      const { security, parameters = [] } = operations[verb]!;
      const asks = parameters
        .filter(({ in: where, required }) => where === 'query' && required)
        .map(({ name }) => name);
      return { verb: verb.toUpperCase(), path, scopes, isOpen: security?.length === 0, asks };
    }),
  );
}

/** A path that names something that `idsOf` has none of is a gap of this test: it would ask for nobody's. */
const filled = (path: string, ids: Ids): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`idsOf() must give a ${name}`);
    return id;
  });

/** The query of a call that has to name something. */
const queryOf = ({ asks }: Route, ids: Ids): string =>
  asks.length === 0 ? '' : `?${asks.map((name) => filled(`${name}={${name}}`, ids)).join('&')}`;

const unknown = (ids: Ids): Ids => Object.fromEntries(Object.keys(ids).map((name) => [name, `${name[0]}_nobody`]));

const told = ({ status, body }: Answer) => ({ status, body: { ...body, request_id: undefined } });

const byName = ({ verb, path }: Route) => `${verb} ${path}`;

describe('the document of the API', () => {
  it('lists all events wherever it lists events', async () => {
    const document = JSON.stringify((await stage.call('GET', '/docs-json', { key: null })).body);
    const enumerations = [...document.matchAll(/"enum":(\[[^\]]*\])/g)].map(
      ([, list]) => JSON.parse(list!) as string[],
    );
    const ofEvents = enumerations.filter((list) => list.includes(EVENT_NAMES[0]));
    expect(new Set(ofEvents.map(String))).toEqual(new Set([EVENT_NAMES.join()]));
  });
});

describe('every route of the API', () => {
  let own: Ids;
  let foreign: Ids;
  let foreignVersion: number;
  let ownerKey: string;
  let strangerKey: string;

  beforeAll(async () => {
    own = await idsOf('ws_own');
    foreign = await idsOf('ws_foreign');
    foreignVersion = await versionOf(foreign);
    ownerKey = await stage.key('ws_own', WORKSPACE_SCOPES);
    strangerKey = await stage.key('ws_foreign', WORKSPACE_SCOPES);
  });

  const versionOf = async ({ form_id, endpoint_id }: Ids): Promise<number> =>
    (await stage.call('GET', `/v1/forms/${form_id}/endpoints/${endpoint_id}`)).body.version;

  /** A workspace that has one of everything. */
  async function idsOf(workspace: string): Promise<Ids> {
    const form_id = await stage.form(workspace);
    const at = `/v1/forms/${form_id}/endpoints`;
    const { id: endpoint_id } = (await stage.call('POST', at, { body: { url: 'https://a.example.com' } })).body;
    const renewed = await stage.call('POST', `${at}/${endpoint_id}/secret/regenerate`, {
      body: { overlap_seconds: 3_600 },
    });
    expect(renewed.status).toBe(200);
    const secrets = (await stage.call('GET', `${at}/${endpoint_id}/secret`)).body;
    const { event_id, delivery_id, attempt_id } = await attempted(form_id as FormId);
    const made = await stage.call('POST', '/v1/api-keys', {
      body: { name: 'k', workspace_id: workspace, scopes: ['endpoints:read'] },
    });
    const replay = await stage.call('POST', `/v1/forms/${form_id}/replays`, { body: { filter: { state: 'failed' } } });
    return {
      form_id,
      endpoint_id,
      delivery_id,
      attempt_id,
      id: event_id,
      key_id: made.body.id,
      secret_id: secrets.previous[0].id,
      replay_id: replay.body.id,
      submission_id: `s_of_${form_id.slice(2)}`,
    };
  }

  /** A delivery of the form that was attempted once. */
  async function attempted(formId: FormId): Promise<Record<'event_id' | 'delivery_id' | 'attempt_id', string>> {
    const [event, attempt] = [anEvent({ formId }), anAttempt()];
    const body = encodeLogBatch([event, aStep(event, { attempt })]);
    await stage.broker.publisher.publish(TO_LOG, { headers: {}, body });
    const { deliveryId } = event.deliveries[0]!;
    const path = `/v1/forms/${formId}/deliveries/${deliveryId}/attempts/${attempt.id}`;
    await vi.waitFor(async () => expect((await stage.call('GET', path)).status).toBe(200), 20_000);
    return { event_id: event.eventId, delivery_id: deliveryId, attempt_id: attempt.id };
  }

  /** A service key with these scopes: of all callers the one that could do most. */
  async function serviceKey(scopes: readonly Scope[]): Promise<string> {
    return (await stage.call('POST', '/v1/api-keys', { body: { name: 'w', kind: 'service', scopes } })).body.key;
  }

  it('is described', () => {
    expect(routes.length).toBeGreaterThan(15);
  });

  it.each(routes.filter(({ isOpen }) => !isOpen).map((route) => [byName(route), route] as const))(
    '%s refuses a caller without credential',
    async (_, route) => {
      const answer = await stage.call(route.verb, filled(route.path, own), { key: null });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
    },
  );

  it.each(routes.flatMap((route) => route.scopes.map((scope) => [byName(route), scope, route] as const)))(
    '%s refuses a caller without the scope %s',
    async (_, scope, route) => {
      const key = await serviceKey(SCOPES.filter((other) => other !== scope));
      const answer = await stage.call(route.verb, filled(route.path, own), { key });
      expect(answer.status).toBe(403);
      expect(answer.body.detail).toContain(scope);
    },
  );

  const underForm = routes.filter(({ path }) => path.includes('{form_id}'));

  it.each(
    underForm
      .filter(({ scopes }) => scopes.every((scope) => WORKSPACE_SCOPES.includes(scope)))
      .map((route) => [byName(route), route] as const),
  )('%s knows no form of another workspace', async (_, route) => {
    const answer = await stage.call(route.verb, filled(route.path, own), { key: strangerKey });
    expect(answer.status).toBe(404);
    const unknown = await stage.call(route.verb, filled(route.path, { ...own, form_id: 'f_unknown' }), {
      key: strangerKey,
    });
    expect(told(answer)).toEqual(told(unknown));
  });

  const withOtherId = routes.filter(({ path, scopes }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).filter((name) => name !== 'form_id');
    return names.length > 0 && scopes.every((scope) => WORKSPACE_SCOPES.includes(scope));
  });

  it.each(withOtherId.map((route) => [byName(route), route] as const))(
    '%s knows nothing of what another workspace has, though the caller’s own form is in the path',
    async (_, route) => {
      const ask = (ids: Ids) =>
        stage.call(route.verb, filled(route.path, { ...ids, form_id: own['form_id']! }), {
          key: ownerKey,
          ...(BODIES.has(route.path) && { body: BODIES.get(route.path) }),
        });
      const answer = await ask(foreign);
      expect(told(answer)).toEqual(told(await ask(unknown(foreign))));
      // Erasing what is not there is no error: it makes sure that it never will be.
      if (!route.path.endsWith('/data')) expect(answer.status).toBe(404);
    },
  );

  // The stream never ends, and names topics alone (live.spec.ts); a session is shown to nobody but itself (session.spec.ts).
  const lists = routes.filter(
    ({ verb, path }) => verb === 'GET' && !/\{(?!form_id)|\/live$|\/dashboard\/session$/.test(path),
  );

  it.each(lists.map((route) => [byName(route), route] as const))(
    '%s shows its caller nothing of another workspace',
    async (_, route) => {
      const answer = await stage.call('GET', filled(route.path, own) + queryOf(route, foreign), { key: ownerKey });
      expect(answer.status).toBe(200);
      const shown = JSON.stringify(answer.body);
      // Those that a caller makes up come back in the caller's own entries.
      const given = Object.entries(foreign).filter(([name]) => !['submission_id', 'form_id'].includes(name));
      for (const [, id] of given) expect(shown).not.toContain(id);
      expect(shown).not.toContain('ws_foreign');
    },
  );

  it('has left everything of the other workspace as it was', async () => {
    const { form_id, key_id } = foreign;
    expect(await versionOf(foreign)).toBe(foreignVersion);
    const replay = await stage.call('GET', `/v1/forms/${form_id}/replays/${foreign['replay_id']}`);
    expect(replay.body.id).toBe(foreign['replay_id']);
    const audited = (await stage.call('GET', '/v1/audit-log?workspace_id=ws_foreign&limit=100')).body.items;
    expect(audited.filter(({ action }: { action: string }) => action === 'replay.cancelled')).toEqual([]);
    const keys = (await stage.call('GET', '/v1/api-keys?workspace_id=ws_foreign')).body.items as { id: string }[];
    expect(keys.map(({ id }) => id)).toContain(key_id);
  });
});
