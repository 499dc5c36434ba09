import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TO_LOG } from '@form-webhooks/broker';
import type { FormId } from '@form-webhooks/domain';
import { encodeLogBatch } from '@form-webhooks/messages';
import { ConfigStage, type Answer } from '../support/config/config-stage.js';
import { anAttempt, anEvent, aStep } from '../support/config/delivery-log.js';
import {
  operationsOf,
  SchemaJudge,
  type Described,
  type OpenApi,
  type Parameter,
} from '../support/contract/openapi-document.js';
import { SchemaValues, wrongFor } from '../support/contract/schema-values.js';

/** A new one may find what the last one did not: it is told with what it found. */
/** The same in each run, so that a failure is one of the change at hand; others are tried by hand. */
const SEED = Number(process.env['CONTRACT_SEED'] ?? 20_261_129);
const RUNS = 12;

const stage = await ConfigStage.open({ TEST_SENDS_PER_MINUTE: '10000', MAX_ENDPOINTS_PER_FORM: '100' });
const document = (await stage.call('GET', '/docs-json', { key: null })).body as OpenApi;
const judge = new SchemaJudge(document);
afterAll(() => stage.close());

/** Values that no schema tells: what may be called, what is there, what lies ahead. */
const values = new SchemaValues(document, {
  url: fc.integer({ min: 0, max: 1e9 }).map((n) => `https://h${n}.example.com/`),
  headers: fc.constantFrom({}, { 'X-Tenant': 'a' }),
  retry_schedule: fc.constantFrom(null, ['1s', '15s']),
  rate_limit: fc.constantFrom(null, 0.5, 10),
  workspace_id: fc.constant('ws_contract'),
  kind: fc.constant('workspace'),
  scopes: fc.constantFrom(['deliveries:read'], ['endpoints:read', 'audit:read']),
  expires_at: fc.constantFrom(null, '2099-01-01T00:00:00Z'),
  host_url: fc.constantFrom('https://host.example/forms', 'http://localhost:3000/'),
  filter: fc.constantFrom({ state: 'failed' }, { state: 'cancelled', text: 'x', trigger: ['event'] }),
});

/** Of a query that a schema alone does not tell: a zone that there is, hours in their order, pages that there are. */
const QUERY: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  timezone: fc.constantFrom('UTC', 'Asia/Kathmandu'),
  from: fc.constant(new Date(Date.now() - 2 * 86_400_000).toISOString()),
  to: fc.constant(new Date().toISOString()),
  step: fc.constantFrom('1h', '6h', '1d'),
  workspace_id: fc.constant('ws_contract'),
  kind: fc.constant('workspace'),
};
/** Its cursors come from its own answers; those of service keys need no workspace, all others of such a key do. */
const NEVER_MADE_UP = ['cursor'];
const ALWAYS_GIVEN = ['workspace_id'];

/** What is well formed and yet not valid, with the member and the code that say so. */
const NOT_TOLD_BY_SCHEMAS: Readonly<Record<string, readonly string[]>> = {
  create_replay: ['filter required', 'delivery_ids not_allowed'],
  preview_replay: ['filter required', 'delivery_ids not_allowed'],
  create_api_key: ['workspace_id required'],
  // 410 among them, which is final in any case.
  create_endpoint: ['retry_statuses not_allowed'],
  update_endpoint: ['headers.x-tenant required', 'retry_statuses not_allowed'],
  create_dashboard_code: ['user required', 'role required'],
};

/** Those of a session of the dashboard, which no key has: session.spec.ts plays them with what is valid. */
const NOT_FOR_KEYS = ['begin_dashboard_session', 'get_dashboard_session', 'end_dashboard_session'];

type Ids = Readonly<Record<string, string>>;

interface Asked {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** A form with one of everything. */
async function idsOfForm(): Promise<Ids> {
  const form_id = await stage.form('ws_contract');
  const at = `/v1/forms/${form_id}`;
  const endpoint_id = (await stage.call('POST', `${at}/endpoints`, { body: { url: 'https://a.example.com' } })).body.id;
  const [event, attempt] = [anEvent({ formId: form_id as FormId }), anAttempt()];
  const records = encodeLogBatch([event, aStep(event, { attempt })]);
  await stage.broker.publisher.publish(TO_LOG, { headers: {}, body: records });
  const delivery_id = event.deliveries[0]!.deliveryId;
  const path = `${at}/deliveries/${delivery_id}/attempts/${attempt.id}`;
  await vi.waitFor(async () => expect((await stage.call('GET', path)).status).toBe(200), 20_000);
  const replay = await stage.call('POST', `${at}/replays`, { body: { filter: { state: 'failed' } } });
  const key = { name: 'k', workspace_id: 'ws_contract', scopes: ['endpoints:read'] };
  return {
    form_id,
    endpoint_id,
    delivery_id,
    attempt_id: attempt.id,
    replay_id: replay.body.id,
    submission_id: event.submissionId,
    key_id: (await stage.call('POST', '/v1/api-keys', { body: key })).body.id,
  };
}

async function ask({ verb, path }: Described, ids: Ids, { query = {}, body }: Asked): Promise<Answer> {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name]!));
  const text = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    ),
  );
  const rest = text.size === 0 ? '' : `?${text.toString()}`;
  return stage.call(verb, `${filled}${rest}`, body === undefined ? {} : { body });
}

/** @returns what of an answer the document does not say */
function undocumented({ operation }: Described, { status, headers, body }: Answer): string {
  const response = operation.responses[String(status)];
  if (!response) return `${status} is not documented: ${JSON.stringify(body)}`;
  const missing = Object.keys(response.headers ?? {}).filter((name) => !headers.has(name));
  if (missing.length > 0) return `${status} has no ${missing.join(', ')}`;
  const type = headers.get('content-type')?.split(';')[0];
  if (response.content === undefined) return type === undefined ? '' : `${status} has a body`;
  const content = response.content[type ?? ''];
  if (!content) return `${status} is ${type}`;
  const faults = judge.faults(content.schema, body);
  return faults && `${status} ${JSON.stringify(body)}: ${faults}`;
}

const problemsIn = ({ body }: Answer): string[] =>
  ((body.errors ?? []) as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`);

const bodyOf = ({ operation }: Described) => operation.requestBody?.content['application/json']?.schema;
const queriesOf = ({ operation }: Described): Parameter[] =>
  (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');

const validQuery = (described: Described): fc.Arbitrary<Record<string, unknown>> => {
  const told = queriesOf(described).filter(({ name }) => !NEVER_MADE_UP.includes(name));
  const members = told.map(({ name, schema }) => [name, QUERY[name] ?? values.valid(schema)] as const);
  const requiredKeys = told
    .filter(({ name, required }) => required === true || ALWAYS_GIVEN.includes(name))
    .map(({ name }) => name);
  return fc.record(Object.fromEntries(members), { requiredKeys });
};

/** A route whose query is only about the workspace reads nothing else there, and refuses nothing else. */
const readsQuery = (described: Described): boolean => queriesOf(described).some(({ name }) => name !== 'workspace_id');

const invalidQuery = (described: Described): fc.Arbitrary<Record<string, unknown>> => {
  const wrong = queriesOf(described).flatMap(wrongQueries);
  const faults = readsQuery(described) ? [{ no_such: '1' }, ...wrong] : wrong;
  return fc.tuple(validQuery(described), fc.constantFrom(...faults)).map(([valid, fault]) => ({ ...valid, ...fault }));
};

/** Everything in a query is text: what can't be read as what is wanted, or lies beyond its bounds. */
function wrongQueries({ name, schema }: Parameter): Record<string, unknown>[] {
  const one = schema.type === 'array' ? schema.items! : schema;
  const bounds = one.type === 'integer' ? wrongFor(one).filter((value) => typeof value === 'number') : [];
  const texts = ['%', '', 'x y'].filter((text) => judge.faults(one, text) !== '');
  return [...texts, ...bounds].map((value) => ({ [name]: value }));
}

/** What ends things comes last. */
const operations = operationsOf(document)
  .filter(({ operation }) => operation.operationId !== 'watch_form')
  .sort((a, b) => Number(a.verb === 'DELETE') - Number(b.verb === 'DELETE'));
const named = operations.map((described) => [described.operation.operationId, described] as const);

describe(`the document of the API, with the seed ${SEED}`, () => {
  let ids: Ids;

  beforeAll(async () => {
    ids = await idsOfForm();
  });

  /** Deleting is tried on things of its own. */
  const idsFor = ({ verb }: Described): Promise<Ids> => (verb === 'DELETE' ? idsOfForm() : Promise.resolve(ids));

  it('describes many operations', () => {
    expect(operations.length).toBeGreaterThan(30);
  });

  it.each(named.filter(([operationId]) => !NOT_FOR_KEYS.includes(operationId)))(
    'says what %s takes: all of it is accepted, and answered as it says',
    async (operationId, described) => {
      const body = bodyOf(described);
      const asked = fc.record({ query: validQuery(described), ...(body && { body: values.valid(body) }) });
      const expected = NOT_TOLD_BY_SCHEMAS[operationId] ?? [];
      for (const one of fc.sample(asked, { numRuns: described.verb === 'DELETE' ? 2 : RUNS, seed: SEED })) {
        const answer = await ask(described, await idsFor(described), one);
        const where = JSON.stringify({ ...one, answer: answer.body as unknown });
        expect(undocumented(described, answer), where).toBe('');
        expect([400, 401, 403, 413, 415], where).not.toContain(answer.status);
        if (answer.status !== 422) continue;
        expect(
          problemsIn(answer).filter((problem) => !expected.includes(problem)),
          where,
        ).toEqual([]);
        expect(problemsIn(answer), where).not.toEqual([]);
      }
    },
  );

  it.each(named.filter(([, described]) => bodyOf(described)))(
    'says what %s does not take in its body: it is refused',
    async (_, described) => {
      const refused = values.invalid(bodyOf(described)!);
      const query = fc.sample(validQuery(described), { numRuns: 1, seed: SEED })[0]!;
      for (const body of fc.sample(refused, { numRuns: 2 * RUNS, seed: SEED })) {
        // A wrong value may be right for a member that takes several kinds.
        if (judge.faults(bodyOf(described)!, body) === '') continue;
        const answer = await ask(described, ids, { query, body });
        const where = JSON.stringify({ body, answer: answer.body as unknown });
        expect(answer.status, where).toBe(422);
        expect(undocumented(described, answer), where).toBe('');
      }
    },
  );

  const withQuery = named.filter(([, described]) => queriesOf(described).length > 0);

  it.each(withQuery)('says what %s does not take in its query: it is refused', async (_, described) => {
    for (const query of fc.sample(invalidQuery(described), { numRuns: 2 * RUNS, seed: SEED })) {
      const answer = await ask(described, ids, { query });
      const where = JSON.stringify({ query, answer: answer.body as unknown });
      expect(answer.status, where).toBe(422);
      expect(undocumented(described, answer), where).toBe('');
    }
  });

  it.each(named)('says how %s answers for ids of nothing, and callers who may not', async (_, described) => {
    const nothing = Object.fromEntries(Object.keys(ids).map((name) => [name, `${ids[name]!.split('_')[0]}_nothing`]));
    const body = bodyOf(described) && fc.sample(values.valid(bodyOf(described)!), { numRuns: 1, seed: SEED })[0];
    const query = fc.sample(validQuery(described), { numRuns: 1, seed: SEED })[0]!;
    const answers = [
      await ask(described, nothing, { query, ...(body === undefined ? {} : { body }) }),
      await stage.call(described.verb, described.path.replace(/\{\w+\}/g, 'x'), { key: null }),
      await stage.call(described.verb, described.path.replace(/\{\w+\}/g, '%00')),
    ];
    for (const answer of answers) expect(undocumented(described, answer)).toBe('');
  });

  it.each(named.filter(([, described]) => described.verb !== 'GET'))(
    'says how %s answers bodies that can not be read',
    async (_, described) => {
      const path = described.path.replace(/\{(\w+)\}/g, (_match, name: string) => ids[name]!);
      const headers = { 'content-type': 'application/json' };
      const answers = [
        await stage.call(described.verb, path, { headers, body: '{' }),
        await stage.call(described.verb, path, { headers: { 'content-type': 'text/plain' }, body: 'text' }),
        await stage.call(described.verb, path, { headers, body: JSON.stringify({ a: 'x'.repeat(200_000) }) }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([400, 415, 413]);
      for (const answer of answers) expect(undocumented(described, answer)).toBe('');
    },
  );

  it('names in Allow the verbs that it has for a path, whatever other paths have', async () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      const served = Object.keys(operations).map((verb) => verb.toUpperCase());
      const refused = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'].filter((verb) => !served.includes(verb));
      const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => ids[name]!);
      for (const verb of refused) {
        const answer = await stage.call(verb, filled);
        expect(answer.status, `${verb} ${path}`).toBe(405);
        const allow = answer.headers
          .get('allow')!
          .split(', ')
          .filter((one) => one !== 'HEAD');
        expect(allow.toSorted(), `${verb} ${path}`).toEqual(served.toSorted());
      }
    }
  });
});
