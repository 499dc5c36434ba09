import { findInstallation } from './installation.js';
import { EXIT, OpsFailure, type ExitCode } from './ops-command.js';
import { Output, type Write } from './output.js';
import { commandNamed, readCall, UnreadableCall } from './read-call.js';

/** What the process around a call gives it. */
export interface ProcessAround {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder it runs in. */
  readonly folder: string;
  readonly out: Write;
  readonly err: Write;
  readonly signal: AbortSignal;
}

/** For the step under way after Ctrl-C, ms, unless the command needs longer. */
const ENDS_WITHIN_MS = 5_000;

/** Carries out one call of the operator's command line. Never rejects. @returns what the process ends with */
export async function runOps(args: readonly string[], around: ProcessAround): Promise<ExitCode> {
  const output = new Output(args.includes('--json'), around.out, around.err);
  try {
    const code = await carryOut(args, around, output);
    return code === EXIT.interrupted ? interrupted(args, output) : code;
  } catch (error) {
    if (around.signal.aborted) return interrupted(args, output);
    if (error instanceof OpsFailure) {
      output.failure(error.message, error.see === undefined ? error.advice : `${error.advice}; see ${error.see}`);
      if (error instanceof UnreadableCall) output.help(error.help);
      return error.exitCode;
    }
    output.failure(`it failed: ${(error as Error).message}`, '`doctor` says what is wrong with the installation');
    return EXIT.unable;
  }
}

/** To watch is ended so; of everything else it is not known how far it came. */
function interrupted(args: readonly string[], output: Output): ExitCode {
  const afterwards = commandNamed(args)?.afterInterrupt;
  if (afterwards === null) return EXIT.fine;
  output.failure('it was interrupted: what it had done by then is done', afterwards ?? 'call it again to go on');
  return EXIT.interrupted;
}

/** A frozen or blocked server keeps nobody waiting who has pressed Ctrl-C. */
export function longAborted(signal: AbortSignal, endsWithinMs = ENDS_WITHIN_MS): Promise<ExitCode> {
  return new Promise((resolve) => {
    const wait = (): void => void setTimeout(() => resolve(EXIT.interrupted), endsWithinMs).unref();
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { once: true });
  });
}

async function carryOut(args: readonly string[], around: ProcessAround, output: Output): Promise<ExitCode> {
  const read = readCall(args);
  if (typeof read === 'string') {
    around.out(read);
    return EXIT.fine;
  }
  const { command, values, given } = read;
  const installation = findInstallation(around.environment, around.folder);
  const { signal } = around;
  const running = command.run({ values, args: given, installation, output, signal });
  return Promise.race([running, longAborted(signal, command.endsWithinMs)]);
}
