import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RpcBusy, RpcUnavailable } from '@form-webhooks/broker';
import type { EndpointId } from '@form-webhooks/domain';
import type { FormEndpointsReply } from '@form-webhooks/messages';
import type { Logger } from '@form-webhooks/telemetry';
import { aDelivery, anEndpoint } from '../testing/factories.js';
import { ConfigSilence } from './config-silence.js';
import { EndpointDirectory, type AskForForm } from './endpoint-directory.js';
import { FormUnknown } from './form-endpoints.js';

const REPLY: FormEndpointsReply = {
  registered: true,
  deleted: false,
  workspace_id: 'ws_1',
  endpoints: [anEndpoint()],
  erased_submissions: [],
  // Whoever wants to know of an erasure must ask.
  erasures_listed_since: null,
  now: Date.now(),
  voucher: 'a voucher',
};

/** What a question to config comes to: an answer, a failure, or nothing for ever. */
type Mode = 'answers' | 'fails' | 'hangs';

const nothing = <T>(): Promise<T> => new Promise(() => undefined);

/** A directory that knows one form, and has just been left without an answer. */
async function silence() {
  let mode: Mode = 'answers';
  const to = <T>(answer: T): Promise<T> => {
    if (mode === 'hangs') return nothing();
    return mode === 'answers' ? Promise.resolve(answer) : Promise.reject(new RpcUnavailable('nobody answers'));
  };
  const ask = vi.fn<AskForForm>(() => to(REPLY));
  const single = { ifErased: vi.fn(() => to(false)), ifDeleted: vi.fn(() => to(true)) };
  const directory = new EndpointDirectory(ask, 60_000, pino({ level: 'silent' }), single, { accept: () => true });
  await directory.lookup('f_1');
  mode = 'fails';
  await expect(directory.lookupFresh('f_1', -1)).rejects.toBeInstanceOf(FormUnknown);
  for (const question of [ask, single.ifErased, single.ifDeleted]) question.mockClear();
  mode = 'hangs';
  return { directory, ask, single, becomes: (next: Mode) => (mode = next) };
}

const QUESTIONS: readonly [string, (directory: EndpointDirectory, n?: number) => Promise<unknown>][] = [
  ['a word of this moment', (directory, n = 0) => directory.lookupFresh(`f_${n}`, -1)],
  ['a form that is not known', (directory, n = 0) => directory.lookup(`f_other_${n}`)],
  ['whether a submission was erased', (directory) => directory.lookupFor(aDelivery())],
  [
    'whether an endpoint was deleted',
    (directory, n = 0) => directory.lookupFor(aDelivery({ endpointId: `we_gone_${n}` as EndpointId })),
  ],
];

describe.each(QUESTIONS)('while config answers nothing, who needs %s', (_what, need) => {
  // No question is ever answered: what waited for one would not end.
  it('is put off at once, and few ask', async () => {
    const { directory, ask, single } = await silence();
    const needs = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => need(directory, n)));
    expect(needs.map((one) => one.status === 'rejected' && (one.reason as Error).name)).toEqual(
      Array(50).fill('FormUnknown'),
    );
    const asked = [ask, single.ifErased, single.ifDeleted].map(({ mock }) => mock.calls.length);
    expect(Math.max(...asked)).toBeGreaterThan(0);
    expect(Math.max(...asked)).toBeLessThanOrEqual(10);
  });

  it('has the answer of a config that is back, and is put off for nothing', async () => {
    const { directory, becomes } = await silence();
    becomes('answers');
    await expect(need(directory)).resolves.toBeDefined();
  });
});

it('a single question that goes unanswered has the form asked about, which shows the silence', async () => {
  const ask = vi.fn<AskForForm>(() => Promise.reject(new RpcUnavailable('nobody answers')));
  ask.mockResolvedValueOnce(REPLY);
  const single = { ifErased: () => Promise.reject(new RpcUnavailable('away')), ifDeleted: () => nothing<boolean>() };
  const directory = new EndpointDirectory(ask, 60_000, pino({ level: 'silent' }), single, { accept: () => true });
  await expect(directory.lookupFor(aDelivery())).rejects.toBeInstanceOf(FormUnknown);
  await vi.waitFor(() => expect(directory.silentMs).toBeGreaterThan(0));
  expect(ask).toHaveBeenCalledTimes(2);
});

it('a question that was given up is kept once it is answered', async () => {
  const answers: ((reply: FormEndpointsReply) => void)[] = [];
  const { directory, ask } = await silence();
  ask.mockImplementation(() => new Promise((resolve) => answers.push(resolve)));
  await expect(directory.lookup('f_late')).rejects.toBeInstanceOf(FormUnknown);
  answers[0]!(REPLY);
  await vi.waitFor(() => expect(directory.formsKept).toBe(2));
  expect(directory.silentMs).toBe(0);
  expect((await directory.lookup('f_late')).endpoints.size).toBe(1);
  expect(ask).toHaveBeenCalledOnce();
});

it('is no silence that too many questions of this process wait: what is not known is put off, and all else asks on', async () => {
  const ask = vi.fn<AskForForm>(() => Promise.resolve(REPLY));
  const busy = () => Promise.reject(new RpcBusy('1000 calls wait already'));
  const directory = new EndpointDirectory(
    ask,
    60_000,
    pino({ level: 'silent' }),
    { ifErased: busy, ifDeleted: busy },
    { accept: () => true },
  );
  await directory.lookup('f_1');
  ask.mockImplementationOnce(busy);
  await expect(directory.lookup('f_other')).rejects.toBeInstanceOf(FormUnknown);
  await expect(directory.lookupFor(aDelivery())).rejects.toBeInstanceOf(FormUnknown);
  expect(directory.silentMs).toBe(0);
  expect(ask).toHaveBeenCalledTimes(2);
  await expect(directory.lookup('f_other')).resolves.toMatchObject({ registered: true });
});

describe('a silence', () => {
  afterEach(() => void vi.useRealTimers());

  it('is told of once a minute, though each answer of one config ends it and each question to a frozen one begins it', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const [warn, info] = [vi.fn(), vi.fn()];
    const silence = new ConfigSilence({ warn, info } as unknown as Logger);
    const flap = (): void => [true, false].forEach((silent) => silence.note(silent));
    for (let n = 0; n < 100; n++) flap();
    expect([warn.mock.calls.length, info.mock.calls.length]).toEqual([1, 1]);
    silence.note(true);
    vi.advanceTimersByTime(60_000);
    expect([silence.lasts, warn.mock.calls.length]).toEqual([true, 1]);
    for (let n = 0; n < 2; n++) silence.note(true);
    expect([silence.ms, warn.mock.calls.length], 'one that lasts is told of later').toEqual([60_000, 2]);
    silence.note(false);
    expect(info).toHaveBeenCalledTimes(2);
  });
});
