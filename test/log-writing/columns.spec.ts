import {
  ATTEMPT_OUTCOMES,
  DELIVERY_STATES,
  ERROR_CODES,
  REASONS,
  TRIGGERS,
  WAITING_CAUSES,
  randomAttemptId,
  type AttemptTimings,
  type SubmissionId,
} from '@form-webhooks/domain';
import type { AttemptRecord, DeliveryRecord } from '@form-webhooks/messages';
import {
  ATTEMPTS,
  attemptsOf,
  DELIVERIES,
  eraseStored,
  findDelivery,
  markErased,
  type DataSource,
  type DeliveryRow,
  type StoredAttempt,
} from '@form-webhooks/storage';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAttempt, anEvent, aStep, FORM, logDatabase, logWriter } from '../support/config/delivery-log.js';

/** What PostgreSQL calls the types that go by another name in the tables of columns. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  moment: 'timestamptz',
  bigint: 'int8',
  integer: 'int4',
  smallint: 'int2',
  boolean: 'bool',
  code: 'text',
  headers: 'json',
  integers: '_int4',
};

const MAX_INTEGER = 0x7fff_ffff;
const MAX_MOMENT = 253_402_300_799_999;
const count = fc.nat({ max: MAX_INTEGER });
const moment = fc.nat({ max: MAX_MOMENT });

/** Whatever a receiver or a network can have put into an answer, pieces that databases stumble over in front. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom('\0', '\ud800', '\udfff', '😀', '\u202e', '\u2028', '"', '\\', "'", '\\u0000', '{', 'NULL', ','),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('x'.repeat(20_000), '\0'.repeat(5_000), '\udfff\ud800'.repeat(2_000)),
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(''));
const hostileHeaders = fc.dictionary(hostileText, hostileText, { maxKeys: 4 });

const response = fc.record({
  status: fc.nat({ max: 999 }),
  headers: hostileHeaders,
  excerpt: hostileText,
  bytes: fc.option(
    fc.uint8Array({ maxLength: 2_048 }).map((bytes) => Buffer.from(bytes).toString('base64')),
    { nil: undefined },
  ) as fc.Arbitrary<string>,
  truncated: fc.boolean(),
});
/** Undefined in what dispatchers of the release before write. */
const timings = fc.option(
  fc.record({
    dnsMs: fc.option(count),
    connectMs: fc.option(count),
    tlsMs: fc.option(count),
    firstByteMs: fc.option(count),
  }),
);
const attempt = fc.record<AttemptRecord>({
  id: fc.constant(null).map(randomAttemptId),
  try: count,
  startedAt: moment,
  durationMs: fc.oneof(count, fc.double({ min: 0, max: MAX_INTEGER, noNaN: true })),
  timestamp: fc.nat({ max: Math.floor(MAX_MOMENT / 1_000) }),
  url: hostileText,
  endpointVersion: count,
  requestHeaders: hostileHeaders,
  response: fc.option(response),
  error: fc.option(fc.record({ code: fc.constantFrom(...ERROR_CODES), message: hostileText })),
  remoteAddress: fc.option(hostileText),
  timings: fc.option(timings, { nil: undefined }) as fc.Arbitrary<AttemptTimings | null>,
  resent: fc.boolean(),
  outcome: fc.constantFrom(...ATTEMPT_OUTCOMES),
});
/** The first step that the log hears of a delivery, each of another one. */
const step = fc
  .record({
    generationStartedAt: moment,
    trigger: fc.constantFrom(...TRIGGERS),
    position: fc.record({ generation: fc.nat({ max: MAX_INTEGER - 1 }), try: count, deferrals: count }),
    state: fc.constantFrom(...DELIVERY_STATES),
    reason: fc.option(fc.constantFrom(...REASONS)),
    nextAttemptAt: fc.option(moment),
    completedAt: fc.option(moment),
    waitsFor: fc.constantFrom(...WAITING_CAUSES),
    attempt,
  })
  .map((given) => aStep(anEvent(), given) as RecordedStep);

type RecordedStep = DeliveryRecord & { readonly attempt: AttemptRecord };

/** As the log keeps text: PostgreSQL refuses NUL, and halves of surrogate pairs have no UTF-8. */
const kept = (text: string): string => text.replaceAll('\0', '\ufffd').replace(/\p{Surrogate}/gu, '\ufffd');
const keptHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [kept(name), kept(value)]));

const attemptOf = ({ attempt, ...record }: RecordedStep): StoredAttempt => ({
  attempt_id: attempt.id,
  delivery_id: record.deliveryId,
  number: 1,
  generation: record.position.generation,
  try: attempt.try,
  started_at: attempt.startedAt,
  duration_ms: Math.round(attempt.durationMs),
  body_timestamp: attempt.timestamp,
  url: kept(attempt.url),
  endpoint_version: attempt.endpointVersion,
  request_headers: keptHeaders(attempt.requestHeaders),
  response_status: attempt.response && attempt.response.status,
  response_headers: attempt.response && keptHeaders(attempt.response.headers),
  response_excerpt: attempt.response && kept(attempt.response.excerpt),
  response_bytes: attempt.response?.bytes ?? null,
  response_truncated: attempt.response && attempt.response.truncated,
  error_code: attempt.error && attempt.error.code,
  error_message: attempt.error && kept(attempt.error.message),
  remote_address: attempt.remoteAddress === null ? null : kept(attempt.remoteAddress),
  timings: attempt.timings
    ? [attempt.timings.dnsMs, attempt.timings.connectMs, attempt.timings.tlsMs, attempt.timings.firstByteMs]
    : null,
  resent: attempt.resent,
  outcome: attempt.outcome,
});

const deliveryOf = ({ attempt, ...record }: RecordedStep): DeliveryRow => ({
  identity: {
    deliveryId: record.deliveryId,
    eventId: record.eventId,
    event: record.event,
    formId: record.formId,
    submissionId: record.submissionId,
    endpointId: record.endpointId,
  },
  acceptedAt: record.acceptedAt,
  standing: {
    position: record.position,
    state: record.state,
    reason: record.reason,
    trigger: record.trigger,
    generationStartedAt: record.generationStartedAt,
    nextAttemptAt: record.nextAttemptAt,
    completedAt: record.completedAt,
    waitsFor: record.waitsFor ?? null,
  },
  lastAttempt: {
    generation: record.position.generation,
    try: attempt.try,
    startedAt: attempt.startedAt,
    status: attempt.response && attempt.response.status,
    error: attempt.error && attempt.error.code,
  },
  attemptCount: 1,
});

describe('the columns of the delivery log', () => {
  let dataSource: DataSource;
  let drop: () => Promise<void>;

  beforeAll(async () => ({ dataSource, drop } = await logDatabase()));
  afterAll(() => drop());

  async function found(record: DeliveryRecord): Promise<{ delivery: DeliveryRow; attempts: StoredAttempt[] }> {
    const delivery = await findDelivery(dataSource.manager, FORM, record.deliveryId);
    return { delivery: delivery!, attempts: await attemptsOf(dataSource.manager, delivery!) };
  }

  it.each([
    { name: 'attempts', table: ATTEMPTS },
    { name: 'deliveries', table: DELIVERIES },
  ])('of $name are those that the database has, and of its types', async ({ name, table }) => {
    const standing = (await dataSource.query(
      'SELECT column_name, udt_name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1',
      [name],
    )) as { column_name: string; udt_name: string }[];
    const stated = Object.entries(table.columns).map(([column, { type }]) => [column, TYPE_NAMES[type] ?? type]);
    expect(Object.fromEntries(standing.map((column) => [column.column_name, column.udt_name]))).toEqual({
      day: 'date',
      ...Object.fromEntries(stated),
    });
  });

  it('are all written and read back, whatever receivers and networks put into them', async () => {
    const writer = logWriter(dataSource);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
        expect(await writer.write(steps)).toEqual([]);
        for (const record of steps) {
          expect(await found(record)).toEqual({ delivery: deliveryOf(record), attempts: [attemptOf(record)] });
        }
      }),
      { numRuns: 15 },
    );
  });

  it('are all written anew by a later step, but for those that never change', async () => {
    const writer = logWriter(dataSource);
    await fc.assert(
      fc.asyncProperty(step, step, async (first, other) => {
        const { deliveryId, endpointId, eventId, acceptedAt } = first;
        const position = { ...other.position, generation: first.position.generation + 1 };
        const later = { ...other, position, deliveryId, endpointId, eventId, acceptedAt };
        await writer.write([first]);
        await writer.write([later]);
        expect((await found(first)).delivery).toEqual({ ...deliveryOf(later), attemptCount: 2 });
      }),
      { numRuns: 10 },
    );
  });

  it('hold the same of an erased submission, whether it was erased before or after it was written', async () => {
    const attempts = [
      anAttempt({ startedAt: 1, error: { code: 'timeout', message: 'No answer.' } }),
      anAttempt({ startedAt: 2, response: null }),
    ];
    const stepsOf = (submissionId: string): DeliveryRecord[] => {
      const event = anEvent({ submissionId: submissionId as SubmissionId });
      return attempts.map((attempt) => aStep(event, { attempt: { ...attempt, id: randomAttemptId() } }));
    };
    const before = stepsOf('s_erased_before');
    const after = stepsOf('s_erased_after');
    const mark = ({ formId, submissionId }: DeliveryRecord) =>
      markErased(dataSource.manager, { formId, submissionId }, new Date());
    const left = async ([record]: DeliveryRecord[]) =>
      (await found(record!)).attempts.map((row) => ({ ...row, attempt_id: null, delivery_id: null }));

    await mark(before[0]!);
    const writer = logWriter(dataSource);
    await writer.write([...before, ...after]);
    const whole = await left(after);
    await mark(after[0]!);
    await eraseStored(dataSource, after[0]!);

    expect(await left(after)).toEqual(await left(before));
    expect(whole[0]).toMatchObject({ response_excerpt: 'ok', response_headers: { 'content-type': 'text/plain' } });
    expect((await left(after))[0]).toEqual({
      ...whole[0]!,
      response_excerpt: null,
      response_bytes: null,
      response_headers: {},
    });
    expect((await left(after))[1], 'nothing comes from no answer').toEqual(whole[1]);
  });
});
