import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { IntakeHold, type HoldReason } from './intake-hold.js';

const QUEUES = ['events', 'deliveries'];
const FULL: HoldReason = { why: 'too much is held', extent: 'intake' };
const AWAY: HoldReason = { why: 'the database is away', extent: 'intake' };
const BLOCKED: HoldReason = { why: 'the broker blocks', extent: 'work' };
const UNCONFIRMED: HoldReason = { why: 'nothing is confirmed', extent: 'work' };
const OURS = { isOurs: () => true };

/** Consumers whose switches end when the test says so. */
class Consumers {
  readonly begun: string[] = [];
  /** Queues that stand still, as far as the last switch that ended has it. */
  readonly standing = new Set<string>();
  refused = new Set<string>();
  switching = 0;
  mostAtOnce = 0;
  ends = (): Promise<void> => Promise.resolve();

  pause = (queue: string) => this.switch(queue, 'pause');
  resume = (queue: string) => this.switch(queue, 'resume');

  private async switch(queue: string, to: 'pause' | 'resume'): Promise<void> {
    this.begun.push(`${to} ${queue}`);
    this.switching += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.switching);
    await this.ends();
    this.switching -= 1;
    if (this.refused.has(queue)) throw new Error(`${queue} can not be switched`);
    if (to === 'pause') this.standing.add(queue);
    else this.standing.delete(queue);
  }
}

function make() {
  const consumers = new Consumers();
  const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  return { consumers, logger, intake: new IntakeHold(consumers, QUEUES, logger) };
}

/** Lets everything run that waits for nothing but other promises. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** What became of a wait so far. */
function watch(waiting: Promise<boolean>) {
  const seen: { answer?: boolean; error?: Error } = {};
  waiting.then(
    (answer) => (seen.answer = answer),
    (error: Error) => (seen.error = error),
  );
  return seen;
}

const STOPPED = QUEUES.map((queue) => `pause ${queue}`);
const STARTED = QUEUES.map((queue) => `resume ${queue}`);

describe('IntakeHold, towards the consumers', () => {
  it('stops those of all its queues for a reason, and starts them when it is gone', async () => {
    const { consumers, intake } = make();
    await intake.hold(FULL);
    expect(consumers.begun).toEqual(STOPPED);
    intake.release(FULL);
    await turn();
    expect(consumers.begun).toEqual([...STOPPED, ...STARTED]);
  });

  it.each([
    ['the first reason goes first', [FULL, BLOCKED]],
    ['the last reason goes first', [BLOCKED, FULL]],
  ])('stops them once and starts them once, when no reason is left: %s', async (_, [first, last]) => {
    const { consumers, intake } = make();
    void intake.hold(FULL);
    await intake.hold(BLOCKED);
    intake.release(first!);
    await turn();
    expect(consumers.begun).toEqual(STOPPED);
    intake.release(last!);
    await turn();
    expect(consumers.begun).toEqual([...STOPPED, ...STARTED]);
  });

  it('counts a reason that is given several times', async () => {
    const { consumers, intake } = make();
    void intake.hold(UNCONFIRMED);
    await intake.hold(UNCONFIRMED);
    intake.release(UNCONFIRMED);
    await turn();
    expect(consumers.begun).toEqual(STOPPED);
    intake.release(UNCONFIRMED);
    await turn();
    expect(consumers.begun).toEqual([...STOPPED, ...STARTED]);
  });

  it('takes no notice of a release without a hold, before and after one', async () => {
    const { consumers, intake } = make();
    intake.release(FULL);
    await intake.hold(FULL);
    intake.release(BLOCKED);
    await turn();
    expect(consumers.begun).toEqual(STOPPED);
  });

  it('tells when they stand still, also to who holds while they are being stopped', async () => {
    const { consumers, intake } = make();
    let end = (): void => undefined;
    consumers.ends = () => new Promise((resolve) => (end = resolve));
    const told = vi.fn();
    void intake.hold(FULL).then(told);
    void intake.hold(FULL).then(told);
    void intake.hold(BLOCKED).then(told);
    await turn();
    expect(told).not.toHaveBeenCalled();
    consumers.ends = () => Promise.resolve();
    end();
    await turn();
    // The other queue's is still under way.
    expect(told).not.toHaveBeenCalled();
  });

  it('makes one change after another, each to what is wanted by then', async () => {
    const { consumers, intake } = make();
    const ends: (() => void)[] = [];
    consumers.ends = () => new Promise((resolve) => ends.push(resolve));
    const stood = intake.hold(FULL);
    await turn();
    intake.release(FULL);
    void intake.hold(FULL);
    intake.release(FULL);
    await turn();
    expect(consumers.begun).toEqual(STOPPED);
    ends[0]!();
    await turn();
    // One queue's consumer still hangs.
    expect(consumers.begun).toEqual(STOPPED);
    consumers.ends = () => Promise.resolve();
    ends[1]!();
    await stood;
    await turn();
    expect(consumers.standing).toEqual(new Set());
    expect(consumers.begun.slice(-2)).toEqual(STARTED);
    expect(consumers.mostAtOnce).toBe(QUEUES.length);
  });

  it('logs that one could not be switched, switches the others, and makes the next change all the same', async () => {
    const { consumers, intake, logger } = make();
    consumers.refused.add('events');
    await intake.hold(FULL);
    expect(consumers.standing).toEqual(new Set(['deliveries']));
    expect(logger.error).toHaveBeenCalledTimes(1);
    expect(logger.error.mock.calls[0]![0]).toMatchObject({ err: { message: 'events can not be switched' } });
    consumers.refused.clear();
    intake.release(FULL);
    await intake.hold(FULL);
    expect(consumers.standing).toEqual(new Set(QUEUES));
  });

  it('logs each reason when it comes, with its cause, and when it is gone', () => {
    const { intake, logger } = make();
    const cause = new Error('alarm');
    void intake.hold(BLOCKED, cause);
    void intake.hold(BLOCKED, new Error('a second one'));
    void intake.hold(FULL);
    intake.release(BLOCKED);
    intake.release(BLOCKED);
    expect(logger.warn.mock.calls).toEqual([
      [{ reason: BLOCKED.why, extent: 'work', err: cause }, 'no new work is taken'],
      [{ reason: FULL.why, extent: 'intake' }, 'no new work is taken'],
    ]);
    expect(logger.info.mock.calls).toEqual([[{ reason: BLOCKED.why }, 'a reason to take no work is gone']]);
  });
});

describe('IntakeHold, towards what was handed over already', () => {
  it('lets work begin at once while nothing, or only the intake, is held', async () => {
    const { intake } = make();
    expect(await intake.whenWorkMayBegin(OURS)).toBe(true);
    await intake.hold(FULL);
    expect(await intake.whenWorkMayBegin(OURS)).toBe(true);
  });

  it('lets no work begin while work is held, and all that waits once it is not, also if the intake still is', async () => {
    const { intake } = make();
    void intake.hold(FULL);
    void intake.hold(BLOCKED);
    const waiting = [1, 2].map(() => watch(intake.whenWorkMayBegin(OURS)));
    await turn();
    intake.release(FULL);
    void intake.hold(FULL);
    await turn();
    expect(waiting).toEqual([{}, {}]);
    intake.release(BLOCKED);
    await turn();
    expect(waiting).toEqual([{ answer: true }, { answer: true }]);
  });

  it('waits for each reason that holds work, and for one that comes just as the last one goes', async () => {
    const { intake } = make();
    void intake.hold(BLOCKED);
    void intake.hold(UNCONFIRMED);
    const waiting = watch(intake.whenWorkMayBegin(OURS));
    intake.release(BLOCKED);
    await turn();
    expect(waiting).toEqual({});
    intake.release(UNCONFIRMED);
    void intake.hold(BLOCKED);
    await turn();
    expect(waiting).toEqual({});
    intake.release(BLOCKED);
    await turn();
    expect(waiting).toEqual({ answer: true });
  });

  it('tells that a message was taken back, with or without a wait, so that it is not begun', async () => {
    const { intake } = make();
    let ours = true;
    void intake.hold(BLOCKED);
    const waiting = intake.whenWorkMayBegin({ isOurs: () => ours });
    ours = false;
    intake.release(BLOCKED);
    expect(await waiting).toBe(false);
    expect(await intake.whenWorkMayBegin({ isOurs: () => ours })).toBe(false);
  });
});

describe('IntakeHold, when the service stops', () => {
  it('lets nobody wait any longer: what waited for work is to be handed back', async () => {
    const { intake } = make();
    void intake.hold(BLOCKED);
    const waiting = intake.whenWorkMayBegin(OURS);
    intake.stop();
    await expect(waiting).rejects.toThrow('stops');
    await expect(intake.whenWorkMayBegin(OURS)).rejects.toThrow('stops');
    expect(intake.stopped.aborted).toBe(true);
  });

  it('may end the waits alone: what has begun still goes on by itself, and what nothing holds begins', async () => {
    const { intake } = make();
    void intake.hold(BLOCKED);
    expect(intake.workMayBegin).toBe(false);
    const waiting = intake.whenWorkMayBegin(OURS);
    intake.endWaits();
    await expect(waiting).rejects.toThrow('stops');
    await expect(intake.whenWorkMayBegin(OURS)).rejects.toThrow('stops');
    expect(intake.stopped.aborted).toBe(false);
    intake.release(BLOCKED);
    expect(intake.workMayBegin).toBe(true);
    expect(await intake.whenWorkMayBegin(OURS)).toBe(true);
  });

  it('lets begin what was handed over if nothing holds it', async () => {
    const { intake } = make();
    void intake.hold(FULL);
    intake.stop();
    expect(await intake.whenWorkMayBegin(OURS)).toBe(true);
  });

  it('still stops the consumers for a reason that comes after it', async () => {
    const { consumers, intake } = make();
    intake.stop();
    await intake.hold(FULL);
    expect(consumers.begun).toEqual(STOPPED);
  });

  it('takes nothing up again, whatever is released', async () => {
    const { consumers, intake } = make();
    await intake.hold(FULL);
    intake.stop();
    intake.stop();
    intake.release(FULL);
    await turn();
    expect(consumers.begun).toEqual(STOPPED);
  });
});

describe('IntakeHold, whatever happens', () => {
  const REASONS = [FULL, AWAY, BLOCKED, UNCONFIRMED];
  const step = fc.oneof(
    fc.record({ kind: fc.constantFrom('hold', 'release'), reason: fc.constantFrom(...REASONS) }),
    fc.constantFrom({ kind: 'wait' as const }, { kind: 'turn' as const }),
  );

  it('the consumers end up as the reasons want them, one change at a time, and who waits begins as soon as he may', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.array(fc.nat(4), { minLength: 1 }),
        async (steps, lags) => {
          const { consumers, intake } = make();
          let switches = 0;
          consumers.ends = async () => {
            for (let left = lags[switches++ % lags.length]!; left > 0; left--) await Promise.resolve();
          };
          const counts = new Map<HoldReason, number>();
          const waiting: ReturnType<typeof watch>[] = [];
          const holding = (extents: string[]) =>
            [...counts].some(([{ extent }, count]) => count > 0 && extents.includes(extent));
          for (const one of steps) {
            if ('reason' in one) {
              const count = counts.get(one.reason) ?? 0;
              counts.set(one.reason, one.kind === 'hold' ? count + 1 : Math.max(0, count - 1));
              if (one.kind === 'hold') void intake.hold(one.reason);
              else intake.release(one.reason);
            } else if (one.kind === 'wait') waiting.push(watch(intake.whenWorkMayBegin(OURS)));
            else await Promise.resolve();
          }
          waiting.push(watch(intake.whenWorkMayBegin(OURS)));
          await turn();
          expect(consumers.standing).toEqual(new Set(holding(['intake', 'work']) ? QUEUES : []));
          expect(consumers.mostAtOnce).toBeLessThanOrEqual(QUEUES.length);
          expect(waiting.at(-1)).toEqual(holding(['work']) ? {} : { answer: true });
          for (const reason of REASONS) {
            for (let left = counts.get(reason) ?? 0; left > 0; left--) intake.release(reason);
          }
          await turn();
          expect(consumers.standing).toEqual(new Set());
          for (const seen of waiting) expect(seen).toEqual({ answer: true });
        },
      ),
    );
  });
});

it('tells for how long no work may begin, whatever reasons follow each other, and not of what only takes nothing new', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const { intake } = make();
    void intake.hold(FULL);
    vi.advanceTimersByTime(60_000);
    expect(intake.workHeldMs).toBe(0);
    void intake.hold(BLOCKED);
    vi.advanceTimersByTime(1_000);
    void intake.hold(UNCONFIRMED);
    intake.release(BLOCKED);
    vi.advanceTimersByTime(1_000);
    expect(intake.workHeldMs).toBe(2_000);
    intake.release(UNCONFIRMED);
    expect(intake.workHeldMs).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
