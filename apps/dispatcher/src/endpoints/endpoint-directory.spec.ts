import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RpcFailed, RpcUnavailable } from '@form-webhooks/broker';
import type { EndpointId, SubmissionId } from '@form-webhooks/domain';
import type { DeliveryMessage, FormEndpointsReply } from '@form-webhooks/messages';
import { aDelivery, anEndpoint } from '../testing/factories.js';
import { EndpointDirectory, type AskForForm, type SingleQuestions } from './endpoint-directory.js';
import { FormUnknown } from './form-endpoints.js';

const logger = pino({ level: 'silent' });
const TRUSTED = { accept: (): boolean => true };
const SINGLE: SingleQuestions = {
  ifErased: () => Promise.resolve(false),
  ifDeleted: () => Promise.resolve(true),
};

function reply(version: number): FormEndpointsReply {
  return {
    registered: true,
    deleted: false,
    workspace_id: 'ws_1',
    endpoints: [anEndpoint({ version })],
    erased_submissions: [],
    erasures_listed_since: 0,
    now: Date.now(),
    voucher: 'a voucher',
  };
}

const directoryOf = (ask: AskForForm, maxAgeMs: number): EndpointDirectory =>
  new EndpointDirectory(ask, maxAgeMs, logger, SINGLE, TRUSTED);

const versionOf = async (directory: EndpointDirectory): Promise<number | undefined> =>
  (await directory.lookup('f_1')).endpoints.get('we_1')?.version;

describe('EndpointDirectory', () => {
  it('makes one call of concurrent lookups of a form', async () => {
    const ask = vi.fn(async () => reply(1));
    const directory = directoryOf(ask, 60_000);
    await Promise.all([directory.lookup('f_1'), directory.lookup('f_1'), directory.lookup('f_1')]);
    await directory.lookup('f_1');
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('asks again after a change', async () => {
    let version = 1;
    const directory = directoryOf(async () => reply(version), 60_000);
    expect(await versionOf(directory)).toBe(1);
    version = 2;
    directory.drop('f_1');
    expect(await versionOf(directory)).toBe(2);
  });

  it('does not keep an answer that was asked for before a change', async () => {
    const answers: ((value: FormEndpointsReply) => void)[] = [];
    const ask = (): Promise<FormEndpointsReply> => new Promise((resolve) => answers.push(resolve));
    const directory = directoryOf(ask, 60_000);
    const early = directory.lookup('f_1');
    directory.drop('f_1');
    const late = directory.lookup('f_1');
    answers[1]!(reply(2));
    await late;
    answers[0]!(reply(1));
    await early;
    expect(await versionOf(directory)).toBe(2);
    expect(answers).toHaveLength(2);
  });

  it('serves what it has while config is down, beyond its age', async () => {
    let down = false;
    const ask = async (): Promise<FormEndpointsReply> => {
      if (down) throw new RpcUnavailable('nobody answers');
      return reply(1);
    };
    const directory = directoryOf(ask, -1);
    await directory.lookup('f_1');
    down = true;
    expect(await versionOf(directory)).toBe(1);
  });

  it('counts what becomes of questions, and tells for how long config has been silent', async () => {
    let down = false;
    const ask = async (): Promise<FormEndpointsReply> => {
      if (down) throw new RpcUnavailable('nobody answers');
      return reply(1);
    };
    const directory = directoryOf(ask, -1);
    await directory.lookup('f_1');
    expect(directory.lookups).toEqual({ answered: 1, unanswered: 0, not_vouched_for: 0 });
    expect([directory.formsKept, directory.silentMs]).toEqual([1, 0]);
    down = true;
    await directory.lookup('f_1');
    await vi.waitFor(() => expect(directory.silentMs).toBeGreaterThan(0));
    expect(directory.lookups.unanswered).toBe(1);
    down = false;
    await directory.lookup('f_2');
    expect(directory.silentMs).toBe(0);
  });

  /** A config that answers, or lets whoever asks wait for nothing, as one that is frozen does. */
  function freezable(): {
    ask: AskForForm;
    asked: () => number;
    freeze: (frozen: boolean) => void;
    giveUp: () => void;
  } {
    let frozen = false;
    let asked = 0;
    const waiting: ((error: Error) => void)[] = [];
    const ask: AskForForm = () => {
      asked += 1;
      return frozen ? new Promise((_, reject) => waiting.push(reject)) : Promise.resolve(reply(1));
    };
    const giveUp = (): void => {
      for (const reject of waiting.splice(0)) reject(new RpcUnavailable('nobody answered in time'));
    };
    return { ask, asked: () => asked, freeze: (now) => (frozen = now), giveUp };
  }

  it('lets nobody wait for a config that answers nothing, after the first who did', async () => {
    const config = freezable();
    const directory = directoryOf(config.ask, -1);
    const forms = Array.from({ length: 50 }, (_, n) => `f_${n}`);
    for (const form of forms) await directory.lookup(form);
    config.freeze(true);
    const first = directory.lookup('f_1');
    config.giveUp();
    expect((await first).endpoints.size).toBe(1);

    const before = config.asked();
    // None of these questions is ever answered: what waited for one would not end.
    for (const form of forms) expect((await directory.lookup(form)).endpoints.size).toBe(1);
    const asked = config.asked() - before;
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(10);

    config.freeze(false);
    config.giveUp();
    await vi.waitFor(async () => {
      const asking = config.asked();
      await directory.lookup('f_2');
      await directory.lookup('f_2');
      expect(config.asked() - asking).toBe(2);
    });
  });

  it('serves what it has if changes were missed while config is down, and asks as soon as it is not', async () => {
    let down = false;
    let version = 1;
    const directory = directoryOf(
      async () => (down ? Promise.reject(new RpcUnavailable('nobody answers')) : reply(version)),
      60_000,
    );
    expect(await versionOf(directory)).toBe(1);
    version = 2;
    down = true;
    directory.outdateAll();
    expect(await versionOf(directory)).toBe(1);
    await expect(directory.lookupFresh('f_1', 60_000)).rejects.toBeInstanceOf(FormUnknown);
    down = false;
    await vi.waitFor(async () => expect(await versionOf(directory)).toBe(2));
  });

  it('serves nothing that is known to have changed', async () => {
    let down = false;
    const directory = directoryOf(
      async () => (down ? Promise.reject(new RpcUnavailable('nobody answers')) : reply(1)),
      -1,
    );
    await directory.lookup('f_1');
    await directory.lookup('f_2');
    down = true;
    expect((await directory.lookup('f_2')).endpoints.size).toBe(1);
    directory.drop('f_1');
    await expect(directory.lookup('f_1')).rejects.toBeInstanceOf(FormUnknown);
  });

  it('does not take an old answer for a fresh one', async () => {
    let down = false;
    const ask = async (): Promise<FormEndpointsReply> => {
      if (down) throw new RpcUnavailable('nobody answers');
      return reply(1);
    };
    const directory = directoryOf(ask, 60_000);
    await directory.lookup('f_1');
    down = true;
    await expect(directory.lookupFresh('f_1', -1)).rejects.toBeInstanceOf(FormUnknown);
  });

  it('says that a form is unknown when config can not be asked and nothing is cached', async () => {
    const directory = directoryOf(() => Promise.reject(new RpcUnavailable('down')), 60_000);
    await expect(directory.lookup('f_1')).rejects.toBeInstanceOf(FormUnknown);
  });
});

describe('a form that was registered, and of which config’s database knows nothing now', () => {
  it('is missing until it is there again, however often its copy is dropped', async () => {
    let answer = reply(1);
    const directory = directoryOf(async () => answer, 60_000);
    const isMissing = async (): Promise<boolean> => {
      directory.drop('f_1');
      return (await directory.lookup('f_1')).missing === true;
    };
    expect(await isMissing()).toBe(false);
    answer = { ...reply(1), registered: false, endpoints: [] };
    expect([await isMissing(), await isMissing()]).toEqual([true, true]);
    answer = reply(2);
    expect(await isMissing()).toBe(false);
  });
});

describe('whether a submission was erased', () => {
  const delivery = (submissionId: string, generationStartedAt: number): DeliveryMessage =>
    aDelivery({ submissionId: submissionId as SubmissionId, generationStartedAt });

  /** What a dispatcher finds out, and how many times it had to ask for more than the form. */
  async function findOut(listedSince: number | null | undefined, of: DeliveryMessage, erased: boolean) {
    const ask = async () =>
      ({ ...reply(1), erased_submissions: ['s_listed'], erasures_listed_since: listedSince }) as FormEndpointsReply;
    const ifErased = vi.fn(() => Promise.resolve(erased));
    const single = { ...SINGLE, ifErased };
    const form = await new EndpointDirectory(ask, 60_000, logger, single, TRUSTED).lookupFor(of);
    return { erased: form.erasedSubmissions.has(of.submissionId), asked: ifErased.mock.calls.length };
  }

  it.each([
    ['in the list', 500, delivery('s_listed', 600), false, { erased: true, asked: 0 }],
    ['not in a list that goes back far enough', 500, delivery('s_1', 600), true, { erased: false, asked: 0 }],
    ['not in a whole list, however old', 0, delivery('s_1', 1), true, { erased: false, asked: 0 }],
    ['older than the list, and erased', 500, delivery('s_1', 400), true, { erased: true, asked: 1 }],
    ['older than the list, and not erased', 500, delivery('s_1', 400), false, { erased: false, asked: 1 }],
    ['not in a list that was cut off, and erased', null, delivery('s_1', Date.now()), true, { erased: true, asked: 1 }],
    ['in a list that was cut off', null, delivery('s_listed', 1), false, { erased: true, asked: 0 }],
    ['not in the whole list of an older config', undefined, delivery('s_1', 1), true, { erased: false, asked: 0 }],
  ] as const)('is known of one that is %s', async (_, listedSince, of, erased, found) => {
    expect(await findOut(listedSince, of, erased)).toEqual(found);
  });

  it('is waited for while config can not say', async () => {
    const down = () => Promise.reject(new RpcUnavailable('down'));
    const directory = new EndpointDirectory(
      async () => ({ ...reply(1), erasures_listed_since: null }),
      60_000,
      logger,
      { ...SINGLE, ifErased: down },
      TRUSTED,
    );
    await expect(directory.lookupFor(delivery('s_1', 1))).rejects.toBeInstanceOf(FormUnknown);
  });

  it('is asked once while the copy of its form holds, and anew after a change, which may be its erasure', async () => {
    let erased = false;
    const ifErased = vi.fn(() => Promise.resolve(erased));
    const cut = async () => ({ ...reply(1), erasures_listed_since: null });
    const directory = new EndpointDirectory(cut, 60_000, logger, { ...SINGLE, ifErased }, TRUSTED);
    const isErased = async (): Promise<boolean> =>
      (await directory.lookupFor(delivery('s_1', 1))).erasedSubmissions.has('s_1');
    expect([await isErased(), await isErased()]).toEqual([false, false]);
    expect(ifErased).toHaveBeenCalledTimes(1);
    erased = true;
    directory.drop('f_1');
    expect(await isErased()).toBe(true);
    erased = false;
    directory.outdateAll();
    await isErased();
    expect(ifErased).toHaveBeenCalledTimes(3);
  });

  it('is not known by an answer that was asked for before a change', async () => {
    const answers: ((erased: boolean) => void)[] = [];
    const ifErased = () => new Promise<boolean>((resolve) => answers.push(resolve));
    const cut = async () => ({ ...reply(1), erasures_listed_since: null });
    const directory = new EndpointDirectory(cut, 60_000, logger, { ...SINGLE, ifErased }, TRUSTED);
    const early = directory.lookupFor(delivery('s_1', 1));
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    directory.drop('f_1');
    answers[0]!(false);
    await early;
    const late = directory.lookupFor(delivery('s_1', 1));
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[1]!(true);
    expect((await late).erasedSubmissions.has('s_1')).toBe(true);
  });
});

describe('whether an endpoint that its form lacks was deleted', () => {
  const elsewhere = (id = 'we_gone'): DeliveryMessage => aDelivery({ endpointId: id as EndpointId });

  function stage(ifDeleted: SingleQuestions['ifDeleted'], answer = reply(1)) {
    const asked = vi.fn(ifDeleted);
    const single = { ...SINGLE, ifDeleted: asked };
    return { asked, directory: new EndpointDirectory(async () => answer, 60_000, logger, single, TRUSTED) };
  }

  it('is asked once of one that was', async () => {
    const { asked, directory } = stage(() => Promise.resolve(true));
    for (let n = 0; n < 3; n++) expect(await directory.lookupFor(elsewhere())).not.toHaveProperty('unknownEndpoints');
    expect(asked.mock.calls).toEqual([['f_1', 'we_gone']]);
  });

  it('is asked each time of one that was never there, which may yet be restored', async () => {
    const { asked, directory } = stage(() => Promise.resolve(false));
    for (let n = 0; n < 2; n++) {
      expect((await directory.lookupFor(elsewhere())).unknownEndpoints).toEqual(new Set(['we_gone']));
    }
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('is not asked of one that is there, nor of a form that is not', async () => {
    const { asked, directory } = stage(() => Promise.resolve(false));
    await directory.lookupFor(aDelivery());
    const gone = stage(() => Promise.resolve(false), { ...reply(1), registered: false, deleted: true, endpoints: [] });
    await gone.directory.lookupFor(elsewhere());
    expect([asked.mock.calls, gone.asked.mock.calls]).toEqual([[], []]);
  });

  it('is waited for while config can not say', async () => {
    const { directory } = stage(() => Promise.reject(new RpcFailed('a config of before does not serve this call')));
    await expect(directory.lookupFor(elsewhere())).rejects.toBeInstanceOf(FormUnknown);
  });
});

describe('whether a dispatcher knows forms', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  const silent: AskForForm = () => Promise.reject(new RpcUnavailable('nobody answers'));

  it.each([
    ['config does not answer', silent, TRUSTED],
    ['config has another key ring', () => Promise.resolve(reply(1)), { accept: (): boolean => false }],
  ] as const)('is false half a minute after the first question in vain: %s', async (_, ask, answers) => {
    const directory = new EndpointDirectory(ask, 60_000, logger, SINGLE, answers);
    expect(directory.knowsForms, 'nobody has asked yet').toBe(true);
    const asked = (): Promise<unknown> => directory.lookup('f_1').catch((error: unknown) => error);
    expect(await asked()).toBeInstanceOf(FormUnknown);
    vi.advanceTimersByTime(29_000);
    expect(directory.knowsForms).toBe(true);
    await asked();
    vi.advanceTimersByTime(2_000);
    expect(directory.knowsForms).toBe(false);
  });

  it('stays true while config is away from a dispatcher that has answers, and is true again after the next', async () => {
    let ask: AskForForm = () => Promise.resolve(reply(1));
    const directory = directoryOf((formId) => ask(formId), 1_000);
    await directory.lookup('f_1');
    ask = silent;
    vi.advanceTimersByTime(2_000);
    await directory.lookup('f_1');
    vi.advanceTimersByTime(60_000);
    expect(directory.knowsForms).toBe(true);
    directory.drop('f_1');
    expect(directory.knowsForms).toBe(false);
    ask = () => Promise.resolve(reply(2));
    await directory.lookup('f_2');
    expect(directory.knowsForms).toBe(true);
  });
});
