import { IntakeHold } from '@form-webhooks/broker';
import { createLogger } from '@form-webhooks/telemetry';
import { describe, expect, it } from 'vitest';
import { InFlightBytes } from './in-flight-bytes.js';

/** Lets everything run that waits for nothing but other promises. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

function make() {
  const calls: string[] = [];
  const note = (what: string) => async () => void calls.push(what);
  const logger = createLogger({ app: 'test', level: 'silent' });
  const intake = new IntakeHold({ pause: note('pause'), resume: note('resume') }, ['queue'], logger);
  return { calls, intake, inFlight: new InFlightBytes(100, intake) };
}

/** Work of a size that ends when the test says so. */
function begin(inFlight: InFlightBytes, size: number) {
  let end = (_?: Error): void => undefined;
  const work = () => new Promise<void>((resolve, reject) => (end = (error) => (error ? reject(error) : resolve())));
  const done = inFlight.during(size, work);
  return { end: (error?: Error) => end(error), done };
}

describe('InFlightBytes', () => {
  it('counts the bytes of what is being handled, also if that fails', async () => {
    const { inFlight } = make();
    const [first, second] = [begin(inFlight, 30), begin(inFlight, 20)];
    expect(inFlight.size).toBe(50);
    first.end();
    await first.done;
    expect(inFlight.size).toBe(20);
    second.end(new Error('bug'));
    await expect(second.done).rejects.toThrow('bug');
    expect(inFlight.size).toBe(0);
  });

  it('answers with what the work comes to', async () => {
    expect(await make().inFlight.during(1_000, () => Promise.resolve(7))).toBe(7);
  });

  it('takes nothing more above the mark, until less than 80 % of it is in flight', async () => {
    const { calls, inFlight } = make();
    const works = [50, 30, 20, 1, 20].map((size) => ({ size, ...begin(inFlight, size) }));
    await turn();
    expect(calls).toEqual(['pause']);
    // 121: now 101, 100, 80; then 50.
    for (const size of [20, 1, 20]) {
      const work = works.splice(
        works.findIndex((one) => one.size === size),
        1,
      )[0]!;
      work.end();
      await work.done;
      await turn();
      expect(calls).toEqual(['pause']);
    }
    expect(inFlight.size).toBe(80);
    works[1]!.end();
    await works[1]!.done;
    await turn();
    expect(calls).toEqual(['pause', 'resume']);
  });

  it('takes nothing more each time that it is above the mark', async () => {
    const { calls, inFlight } = make();
    for (let i = 0; i < 2; i++) {
      const work = begin(inFlight, 101);
      await turn();
      work.end();
      await work.done;
      await turn();
    }
    expect(calls).toEqual(['pause', 'resume', 'pause', 'resume']);
  });

  it('takes more at the mark itself', async () => {
    const { calls, inFlight } = make();
    begin(inFlight, 60);
    begin(inFlight, 40);
    await turn();
    expect(calls).toEqual([]);
  });

  it('lets begin what was handed over: only that frees bytes', async () => {
    const { intake, inFlight } = make();
    begin(inFlight, 101);
    expect(await intake.whenWorkMayBegin({ isOurs: () => true })).toBe(true);
  });
});
