import { createConfig, lintFromString } from '@redocly/openapi-core';
import { EVENT_NAMES } from '@form-webhooks/domain';
import { loadSettings } from '@form-webhooks/settings';
import { createLogger } from '@form-webhooks/telemetry';
import { beforeAll, describe, expect, it } from 'vitest';
import { ConfigSettings, createApp, describeApi } from '../../apps/config/src/index.js';
import { describeApi as describeIngest } from '../../apps/ingest/src/index.js';
import { operationsOf, type OpenApi, type Operation, type Schema } from '../support/contract/openapi-document.js';

const ENV = {
  DATABASE_URL: 'postgresql://nobody@localhost/nothing',
  RABBITMQ_URL: 'amqp://localhost',
  ADMIN_API_KEY: 'the-admin-key-of-this-test',
  SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
};

/** The document of config, which needs no server. */
async function configDocument(): Promise<OpenApi> {
  const logger = createLogger({ app: 'config', level: 'silent' });
  const app = await createApp(loadSettings(ConfigSettings, ENV), logger);
  return describeApi(app) as unknown as OpenApi;
}

async function lint(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer ?? ''}`);
}

/** Every schema of the document with where it is. */
function schemasOf(value: unknown, at = '#'): [string, Schema][] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, member]) =>
    ['example', 'examples', 'default', 'enum'].includes(name) ? [] : schemasOf(member, `${at}/${name}`),
  );
  const isSchema = /\/(schema|items|properties\/[^/]+|anyOf\/\d+|schemas\/[^/]+)$/.test(at);
  return isSchema ? [[at, value as Schema], ...inner] : inner;
}

describe('the OpenAPI document of config', () => {
  let document: OpenApi;
  let operations: Operation[];

  beforeAll(async () => {
    document = await configDocument();
    operations = operationsOf(document).map(({ operation }) => operation);
  });

  it('passes the linter', async () => {
    expect(await lint(document)).toEqual([]);
  });

  it('leaves no type open', () => {
    const open = schemasOf(document).filter(
      ([, { type, $ref, allOf, anyOf }]) => ![type, $ref, allOf, anyOf].some((one) => one !== undefined),
    );
    expect(open.map(([at]) => at)).toEqual([]);
  });

  it('says of numbers whether they are whole', () => {
    const vague = schemasOf(document).filter(([, { type, format }]) => type === 'number' && format !== 'double');
    expect(vague.map(([at]) => at)).toEqual([]);
    const { properties } = document.components.schemas['DeliveryDto']!;
    expect(properties!['attempt_count']!.type).toBe('integer');
    expect(document.components.schemas['EndpointDto']!.properties!['rate_limit']!.type).toBe('number');
  });

  it('says of each id in a path what it looks like', () => {
    const ids = operations.flatMap(({ parameters = [] }) => parameters.filter((one) => one.in === 'path'));
    expect(ids.length).toBeGreaterThan(20);
    expect(ids.filter(({ schema }) => schema.pattern === undefined)).toEqual([]);
  });

  it('says what the validation checks', () => {
    const { events, retry_statuses } = document.components.schemas['UpdateEndpointDto']!.properties!;
    expect(events).toMatchObject({ type: 'array', minItems: 1, maxItems: EVENT_NAMES.length, uniqueItems: true });
    expect(retry_statuses!.items).toMatchObject({ type: 'integer', minimum: 400, maximum: 499, not: { enum: [410] } });
    const list = operations.find(({ operationId }) => operationId === 'list_deliveries')!.parameters!;
    const schemaOf = (name: string) => list.find((one) => one.name === name)!.schema;
    expect(schemaOf('cursor')).toMatchObject({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 512 });
    expect(schemaOf('limit')).toMatchObject({ type: 'integer', minimum: 1, maximum: 100 });
    expect(schemaOf('state')).toMatchObject({ minItems: 1, uniqueItems: true });
    const workspaceOf = (id: string) =>
      operations.find(({ operationId }) => operationId === id)!.parameters!.find(({ name }) => name === 'workspace_id')!
        .schema.pattern;
    expect(workspaceOf('list_api_keys')).toMatch(/^\^ws_/);
    expect(workspaceOf('list_audit_entries')).toMatch(/^\^-\$\|\^ws_/);
  });

  it('says that unknown members are refused, of everything that is sent and of nothing that is only answered', () => {
    const { schemas } = document.components;
    for (const name of ['CreateEndpointDto', 'CreateReplayDto', 'ReplayFilterDto', 'RegisterFormDto', 'TestSendDto']) {
      expect(schemas[name]!.additionalProperties, name).toBe(false);
    }
    for (const name of ['EndpointDto', 'DeliveryListDto', 'ProblemDto']) {
      expect(schemas[name]!.additionalProperties, name).toBeUndefined();
    }
  });

  it('names the headers of answers that have some', () => {
    for (const { operationId, responses } of operations) {
      expect(responses['429']!.headers, operationId).toHaveProperty('Retry-After');
      expect(responses['503']!.headers, operationId).toHaveProperty('Retry-After');
    }
    const create = operations.find(({ operationId }) => operationId === 'create_endpoint')!;
    expect(create.responses['201']!.headers).toHaveProperty('ETag');
    expect(create.responses['201']!.headers).toHaveProperty('Location');
  });
});

describe('the OpenAPI document of ingest', () => {
  it('passes the linter', async () => {
    expect(await lint(describeIngest(1_048_576))).toEqual([]);
  });
});
