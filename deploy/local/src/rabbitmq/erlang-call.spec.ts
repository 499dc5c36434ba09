import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { LocalFailure } from '../failure.js';
import { temporaryFolder } from '../state/temporary-folder.js';
import { evaluateOn, type ErlangCall } from './erlang-call.js';

const folder = temporaryFolder('form-webhooks-erlang-call-');
afterAll(() => folder.remove());
const asked = join(folder.path, 'asked');

/** A program in the place of `erl_call` that notes what it is asked and answers like this. */
function callThat(answers: string): ErlangCall {
  const program = join(folder.path, 'erl_call');
  writeFileSync(program, `#!/bin/sh\n{ echo "$@"; cat; } > '${asked}'\n${answers}\n`, { mode: 0o700 });
  return { program, node: 'rabbit@localhost', env: { PATH: process.env['PATH'] }, timeoutMs: 5_000 };
}

describe('an expression for a node', () => {
  it('is given by standard input, so that no list of processes shows what it holds', async () => {
    await evaluateOn(callThat(`echo '{ok, ok}'`), 'ok = secret.');
    expect(readFileSync(asked, 'utf8')).toBe('-e -sname rabbit@localhost\nok = secret.\n');
  });

  it.each([
    ['it fails, which is answered with an exit code of 0', `echo '{error, "syntax error"}'`, 'syntax error'],
    ['the node can not be asked', 'echo no connection >&2; exit 1', 'no connection'],
    ['nothing is answered', '', 'exit code 0'],
  ])('is told to have failed if %s', async (_why, answers, told) => {
    const evaluated = evaluateOn(callThat(answers), 'broken');
    await expect(evaluated).rejects.toThrow(LocalFailure);
    await expect(evaluated).rejects.toThrow(told);
  });
});
