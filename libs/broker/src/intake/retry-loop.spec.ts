import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IntakeHold, type HoldReason } from './intake-hold.js';
import { RetryLoop, type RetryPlan } from './retry-loop.js';

class Away extends Error {}

const REASON: HoldReason = { why: 'it is away', extent: 'work' };
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const [stopped, started] = ['pause queue', 'resume queue'];
const away = (): Promise<never> => Promise.reject(new Away('away'));

function make(plan: Partial<RetryPlan<Away>> = {}) {
  const calls: string[] = [];
  const note = (what: string) => async (queue: string) => void calls.push(`${what} ${queue}`);
  const intake = new IntakeHold({ pause: note('pause'), resume: note('resume') }, ['queue'], silent);
  const limits = { firstPauseMs: 1, longestPauseMs: 4 };
  return { calls, intake, retries: new RetryLoop(intake, { on: Away, reason: REASON, ...limits, ...plan }) };
}

/** Fails until it is told that what it needs is back. */
function outage() {
  const failing = {
    back: false,
    act: vi.fn(() => (failing.back ? Promise.resolve('done') : away())),
  };
  return failing;
}

/** Lets everything run that waits for nothing but other promises. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

const SOON = { interval: 1, timeout: 10_000 };
const failedFor = (times: number, { act }: ReturnType<typeof outage>) =>
  vi.waitFor(() => expect(act.mock.calls.length).toBeGreaterThanOrEqual(times), SOON);

describe('RetryLoop', () => {
  it('lets what works through without touching the intake', async () => {
    const { calls, retries } = make();
    expect(await retries.run(() => Promise.resolve(7))).toBe(7);
    await turn();
    expect(calls).toEqual([]);
  });

  it('does again what fails until it works, and takes nothing meanwhile', async () => {
    const { calls, retries } = make();
    const { act } = outage();
    act.mockImplementationOnce(away).mockImplementationOnce(async () => {
      expect(calls).toEqual([stopped]);
      return away();
    });
    act.mockResolvedValue('done');
    expect(await retries.run(act)).toBe('done');
    expect(act).toHaveBeenCalledTimes(3);
    await turn();
    expect(calls).toEqual([stopped, started]);
  });

  it('throws any other failure at once and holds nothing for it', async () => {
    const { calls, retries } = make();
    const act = vi.fn(() => Promise.reject(new TypeError('bug')));
    await expect(retries.run(act)).rejects.toThrow('bug');
    expect(act).toHaveBeenCalledTimes(1);
    await turn();
    expect(calls).toEqual([]);
  });

  it('throws any other failure also after some that passed, and takes up the intake again', async () => {
    const { calls, retries } = make();
    const act = vi.fn().mockImplementationOnce(away).mockRejectedValue(new TypeError('bug'));
    await expect(retries.run(act)).rejects.toThrow('bug');
    expect(act).toHaveBeenCalledTimes(2);
    await turn();
    expect(calls).toEqual([stopped, started]);
  });

  it('takes up the intake once, when nothing fails any more', async () => {
    const { calls, retries } = make();
    const outages = [outage(), outage(), outage()];
    const runs = outages.map(({ act }) => retries.run(act));
    await Promise.all(outages.map((one) => failedFor(2, one)));
    for (const [i, one] of outages.entries()) {
      expect(calls).toEqual([stopped]);
      one.back = true;
      await runs[i];
      await turn();
    }
    expect(calls).toEqual([stopped, started]);
  });

  it('tells of each that begins to fail, once, and how many do', async () => {
    const onFailing = vi.fn();
    const { retries } = make({ onFailing });
    const outages = [outage(), outage()];
    const runs = outages.map(({ act }) => retries.run(act));
    await Promise.all(outages.map((one) => failedFor(3, one)));
    for (const one of outages) one.back = true;
    await Promise.all(runs);
    await retries.run(vi.fn().mockImplementationOnce(away).mockResolvedValue('done'));
    expect(onFailing.mock.calls).toEqual([1, 2, 1].map((failing) => [expect.any(Away), failing]));
  });

  it('gives up with the last failure, not the first', async () => {
    const { intake, retries } = make();
    const one = outage();
    one.act.mockImplementation(() => Promise.reject(new Away(`failure ${one.act.mock.calls.length}`)));
    const run = retries.run(one.act);
    await failedFor(2, one);
    intake.stop();
    await expect(run).rejects.toThrow(`failure ${one.act.mock.calls.length}`);
  });

  it('gives up what fails for too long, and takes up the intake again', async () => {
    const { calls, retries } = make({ giveUpAfterMs: 10 });
    await expect(retries.run(away)).rejects.toThrow(Away);
    await turn();
    expect(calls).toEqual([stopped, started]);
  });
});

// Another process may hold the CPU for longer than the pauses; a real breach fails every time.
describe('the pauses of a RetryLoop', { retry: 2 }, () => {
  const LONG = { firstPauseMs: 1, longestPauseMs: 60_000 };

  it('are each its own: what has just begun to fail does not wait for what fails longer', async () => {
    const { intake, retries } = make(LONG);
    const [old, young] = [outage(), outage()];
    const oldRun = retries.run(old.act);
    await failedFor(9, old);
    const before = old.act.mock.calls.length;
    const youngRun = retries.run(young.act);
    await failedFor(4, young);
    // Three times means together; on its own it takes two seconds.
    expect(old.act.mock.calls.length).toBeLessThan(before + 3);
    intake.stop();
    await expect(oldRun).rejects.toThrow(Away);
    await expect(youngRun).rejects.toThrow(Away);
  });

  it('are shared if the plan says so: what fails together is tried again together', async () => {
    const { retries } = make({ ...LONG, together: true });
    const [old, young] = [outage(), outage()];
    const runs = [retries.run(old.act)];
    await failedFor(6, old);
    runs.push(retries.run(young.act));
    const before = old.act.mock.calls.length;
    for (const times of [2, 3]) {
      await failedFor(times, young);
      expect(old.act.mock.calls.length - before).toBe(young.act.mock.calls.length - 1);
    }
    old.back = young.back = true;
    await Promise.all(runs);
  });

  it('if shared begin anew with whatever works', async () => {
    const { retries } = make({ ...LONG, together: true });
    const one = outage();
    const run = retries.run(one.act);
    await failedFor(6, one);
    await retries.run(() => Promise.resolve());
    const startedAt = performance.now();
    // Pauses that went on growing would take four seconds.
    await failedFor(12, one);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    one.back = true;
    await run;
  });

  it('if shared begin anew with the next outage, whatever ended the last one', async () => {
    const { retries } = make({ ...LONG, together: true });
    const [first, second] = [outage(), outage()];
    const givenUp = new AbortController();
    const run = retries.run(first.act, givenUp.signal);
    await failedFor(8, first);
    givenUp.abort(new Error('given up'));
    await expect(run).rejects.toThrow('given up');
    const startedAt = performance.now();
    const next = retries.run(second.act);
    // Pauses that went on growing would take fifteen seconds.
    await failedFor(8, second);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    second.back = true;
    await next;
  });
});

describe('a RetryLoop for a message', () => {
  it('answers with what came of it while the message is ours', async () => {
    const { retries } = make();
    const act = vi.fn().mockImplementationOnce(away).mockResolvedValue('done');
    expect(await retries.runWhileOurs({ isOurs: () => true }, act)).toBe('done');
  });

  it('does not begin what is no longer ours', async () => {
    const { retries } = make();
    const act = vi.fn(() => Promise.resolve('done'));
    expect(await retries.runWhileOurs({ isOurs: () => false }, act)).toBeUndefined();
    expect(act).not.toHaveBeenCalled();
  });

  it('does not repeat what was taken back meanwhile, and takes up the intake again', async () => {
    const { calls, retries } = make();
    let ours = true;
    const act = vi.fn(() => {
      ours = false;
      return away();
    });
    expect(await retries.runWhileOurs({ isOurs: () => ours }, act)).toBeUndefined();
    expect(act).toHaveBeenCalledTimes(1);
    await turn();
    expect(calls).toEqual([stopped, started]);
  });
});

describe('a RetryLoop whose intake is stopped', () => {
  it('gives up what pauses with its last failure, tries nothing again, and leaves the intake standing', async () => {
    const { calls, intake, retries } = make({ firstPauseMs: 60_000, longestPauseMs: 60_000 });
    const act = vi.fn(away);
    const runs = [retries.run(act), retries.run(act)];
    await turn();
    intake.stop();
    for (const run of runs) await expect(run).rejects.toThrow(Away);
    expect(act).toHaveBeenCalledTimes(2);
    await turn();
    expect(calls).toEqual([stopped]);
  });

  it('finishes what is under way, and does not repeat it if that fails', async () => {
    const { intake, retries } = make();
    const ends: ((failure?: Error) => void)[] = [];
    const act = vi.fn(
      () =>
        new Promise<string>((resolve, reject) => {
          ends.push((failure) => (failure ? reject(failure) : resolve('done')));
        }),
    );
    const runs = [retries.run(act), retries.run(act)];
    intake.stop();
    ends[0]!();
    ends[1]!(new Away('away'));
    expect(await runs[0]).toBe('done');
    await expect(runs[1]).rejects.toThrow(Away);
    expect(act).toHaveBeenCalledTimes(2);
  });
});

describe('a RetryLoop with something that is given up', () => {
  const unhandled = vi.fn();
  beforeEach(() => void process.on('unhandledRejection', unhandled));
  afterEach(() => {
    process.off('unhandledRejection', unhandled);
    unhandled.mockReset();
  });
  const reason = new Away('held for too long');

  it('throws the reason though the act hangs, takes up the intake again, and minds no failure that comes later', async () => {
    const { calls, retries } = make();
    const givenUp = new AbortController();
    let fail = (_: Error): void => undefined;
    const act = vi
      .fn()
      .mockImplementationOnce(away)
      .mockImplementation(() => new Promise((_resolve, reject) => (fail = reject)));
    const run = retries.run(act, givenUp.signal);
    await vi.waitFor(() => expect(act).toHaveBeenCalledTimes(2), SOON);
    givenUp.abort(reason);
    await expect(run).rejects.toBe(reason);
    await turn();
    expect(calls).toEqual([stopped, started]);
    fail(new Away('too late'));
    await turn();
    expect(act).toHaveBeenCalledTimes(2);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('holds nothing for it if its first try hangs', async () => {
    const { calls, retries } = make();
    const givenUp = new AbortController();
    const run = retries.run(() => new Promise(() => undefined), givenUp.signal);
    givenUp.abort(reason);
    await expect(run).rejects.toBe(reason);
    await turn();
    expect(calls).toEqual([]);
  });

  it('throws the reason in the middle of a pause, and leaves the others in it', async () => {
    const { calls, intake, retries } = make({ firstPauseMs: 60_000, longestPauseMs: 60_000, together: true });
    const givenUp = new AbortController();
    const [mine, other] = [outage(), outage()];
    const run = retries.run(mine.act, givenUp.signal);
    const otherRun = retries.run(other.act);
    await turn();
    givenUp.abort(reason);
    await expect(run).rejects.toBe(reason);
    await turn();
    expect(calls).toEqual([stopped]);
    intake.stop();
    await expect(otherRun).rejects.toThrow('away');
    for (const { act } of [mine, other]) expect(act).toHaveBeenCalledTimes(1);
  });

  it('does not begin what was given up before', async () => {
    const { retries } = make();
    const act = vi.fn(() => Promise.resolve('done'));
    await expect(retries.run(act, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(act).not.toHaveBeenCalled();
  });

  it('leaves no listener on the signal, however often it repeats', async () => {
    const { retries } = make();
    const { signal } = new AbortController();
    const [added, removed] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
    const act = vi.fn().mockImplementationOnce(away).mockImplementationOnce(away).mockResolvedValue('done');
    await retries.run(act, signal);
    expect(added.mock.calls.length).toBeGreaterThan(0);
    expect(removed.mock.calls).toEqual(added.mock.calls);
  });
});
