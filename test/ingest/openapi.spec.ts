import fc from 'fast-check';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVENT_NAMES } from '@form-webhooks/domain';
import { brokerUrl } from '../support/broker-url.js';
import { IngestStage } from '../support/ingest-service.js';

/** The same in each run, so that a failure is one of the change at hand; others are tried by hand. */
const SEED = Number(process.env['CONTRACT_SEED'] ?? 20_261_129);
const RUNS = 100;

/** Values of every kind, right and wrong, for each member. */
const ANYTHING = fc.constantFrom<unknown>(null, 1, 1.5, '', 'text', true, [], {}, { ip: 1 }, { status: 's' });
const PAYMENT = fc.record(
  {
    status: fc.constantFrom<unknown>('succeeded', 1, null),
    amount: fc.constantFrom<unknown>(4_200, -1, 1.5, '1', null),
    currency: fc.constantFrom<unknown>('eur', 'EUR', 'euro', 1),
    note: fc.constant('carried along'),
  },
  { requiredKeys: [] },
);
const META = fc.record(
  { ip: fc.constantFrom<unknown>('192.0.2.1', 1, null), other: fc.constant([1]) },
  { requiredKeys: [] },
);
const often = (right: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: ANYTHING });
const RIGHT = {
  event: fc.constantFrom(...EVENT_NAMES),
  form_id: fc.stringMatching(/^f_[A-Za-z0-9_-]{1,60}$/),
  submission_id: fc.stringMatching(/^s_[A-Za-z0-9_-]{1,60}$/),
  fields: fc.dictionary(fc.string(), fc.jsonValue()),
};
/** Every second one is right: of those that are put together by chance few are. */
const RIGHT_EVENT = fc.record({
  ...RIGHT,
  payment: fc.constant({ status: 'succeeded', amount: 4_200, currency: 'eur', note: 'carried along' }),
});
const ANY_EVENT = fc.record(
  {
    event: often(RIGHT.event),
    form_id: often(RIGHT.form_id),
    submission_id: often(RIGHT.submission_id),
    fields: often(RIGHT.fields),
    payment: often(PAYMENT),
    meta: often(META),
    idempotency_key: often(fc.stringMatching(/^[A-Za-z0-9._:-]{1,128}$/)),
    surprise: fc.constant(1),
  },
  { requiredKeys: ['event', 'form_id', 'submission_id', 'fields'] },
);
const EVENT = fc.oneof(RIGHT_EVENT, ANY_EVENT);

describe(`the document of the HTTP door, with the seed ${SEED}`, () => {
  let stage: IngestStage;
  let document: { readonly paths: Record<string, { readonly post: { readonly responses: Record<string, object> } }> };
  const ajv = new Ajv2020({ strict: false, validateFormats: false });

  beforeAll(async () => {
    stage = await IngestStage.open(brokerUrl());
    document = (await (await fetch(`${stage.ingest.url}/openapi.json`)).json()) as typeof document;
    ajv.addSchema(document, 'document');
  });
  afterAll(() => stage.close());

  // Compiled once for each schema.
  const isValid = (name: string, value: unknown): boolean =>
    ajv.getSchema(`document#/components/schemas/${name}`)!(value) === true;

  it('is open to everyone, and so is its page, which loads and runs nothing', async () => {
    const page = await fetch(`${stage.ingest.url}/docs`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    const text = await page.text();
    expect(text).toContain('POST /v1/events');
    expect(text).not.toContain('<script');
  });

  it('says of every event whether it is accepted, and how it is answered', async () => {
    const seen = new Set<number>();
    const judgeOne = async (event: unknown): Promise<void> => {
      const answer = await stage.post(JSON.stringify(event));
      const body: unknown = await answer.json();
      const where = JSON.stringify({ event, body });
      expect(answer.status, where).toBe(isValid('Event', event) ? 202 : 422);
      expect(isValid(answer.status === 202 ? 'AcceptedEvent' : 'Problem', body), where).toBe(true);
      seen.add(answer.status);
    };
    await Promise.all(fc.sample(EVENT, { numRuns: RUNS, seed: SEED }).map(judgeOne));
    expect([...seen].sort(), 'both were tried').toEqual([202, 422]);
  });

  it('names every other answer', async () => {
    const { responses } = document.paths['/v1/events']!.post;
    const answers = [
      await stage.post('{'),
      await stage.post('{}', { authorization: 'Bearer nobody' }),
      await stage.post('{}', { 'content-type': 'text/plain' }),
      await stage.post(JSON.stringify({ fields: 'x'.repeat(2_000_000) })),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 401, 415, 413]);
    for (const answer of answers) {
      expect(Object.keys(responses)).toContain(String(answer.status));
      expect(isValid('Problem', await answer.json())).toBe(true);
    }
  });
});
