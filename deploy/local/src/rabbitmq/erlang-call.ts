import { LocalFailure } from '../failure.js';
import { lastLines, run } from '../provide/programs.js';

export interface ErlangCall {
  /** Erlang's own `erl_call`. */
  readonly program: string;
  readonly node: string;
  /** With the HOME in which the node's cookie lies, and the port of its epmd. */
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
}

/**
 * Evaluates an expression, which ends with a full stop, on a node that runs. A small program in C asks it: some 20 ms where
 * a `rabbitmqctl`, which starts a virtual machine of its own, takes a second [measured]. The expression is not seen in the
 * list of processes.
 *
 * @throws LocalFailure if the node can't be asked in time, or the expression fails
 */
export async function evaluateOn({ program, node, env, timeoutMs }: ErlangCall, expression: string): Promise<void> {
  const done = await run(program, ['-e', '-sname', node], { env, timeoutMs, input: `${expression}\n` });
  // It ends with 0 also when the expression fails.
  if (done.code === 0 && done.stdout.startsWith('{ok,')) return;
  const output = lastLines(`${done.stdout}\n${done.stderr}`);
  throw new LocalFailure(`The broker did not evaluate what it was asked (exit code ${done.code}).`, '', output);
}
