import { describe, expect, it } from 'vitest';
import { ApiProblem, Unreachable } from './problem.js';
import { writeOnce } from './write-once.js';

/** Presses as often as there are answers. @returns the key of each press */
async function keysOf(answers: readonly unknown[], once = writeOnce()): Promise<string[]> {
  const keys: string[] = [];
  for (const answer of answers) {
    const call = async (header: { readonly 'idempotency-key': string }): Promise<void> => {
      keys.push(header['idempotency-key']);
      if (answer instanceof Error) throw answer;
    };
    await once.write(call).catch((thrown: unknown) => expect(thrown).toBe(answer));
  }
  return keys;
}

const problem = (status: number, code?: string): ApiProblem =>
  new ApiProblem(status, code === undefined ? {} : { code }, null);

describe('a write', () => {
  it.each([
    ['no answer came', new Unreachable('offline')],
    ['a proxy answered in its place', problem(504)],
    ['it is still under way', problem(409, 'in_progress')],
    ['the session has ended', problem(401)],
    ['there were too many calls', problem(429)],
  ])('is asked for again under the same key while %s', async (_, lost) => {
    const [first, second, third] = await keysOf([lost, lost, 'done']);
    expect(second).toBe(first);
    expect(third).toBe(first);
  });

  it.each([
    ['was done', 'done'],
    ['was refused', problem(422)],
    ['was done, but can not be told again', problem(409, 'answer_lost')],
  ])('is another one once the one before %s', async (_, answer) => {
    const [first, second] = await keysOf([answer, 'done']);
    expect(second).not.toBe(first);
  });

  it('keeps its key when it is refused for its caller after its answer got lost', async () => {
    const [first, second, third] = await keysOf([new Unreachable('offline'), problem(401), 'done']);
    expect([second, third]).toEqual([first, first]);
  });

  it('is another one in a dialog that was opened anew', async () => {
    const once = writeOnce();
    const [first] = await keysOf([new Unreachable('offline')], once);
    once.beginAnew();
    expect(await keysOf(['done'], once)).not.toContain(first);
  });

  it('has a key that the service takes', async () => {
    const [key] = await keysOf(['done']);
    expect(key).toMatch(/^[A-Za-z0-9._:-]{1,64}$/);
  });
});
