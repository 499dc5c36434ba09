import type { ParseArgsConfig } from 'node:util';
import type { Installation } from './installation.js';
import type { Output } from './output.js';

/** What the process ends with. */
export const EXIT = {
  /** Done, and all is well. */
  fine: 0,
  /** Done, and it found what it looked for to be wrong, or nothing at all: no form of that id either. */
  found: 1,
  /** Called wrongly: with words or values that can't be right in any installation. */
  usage: 2,
  /** No installation is named; or it, or the part of it that is needed, can't be reached or refuses. */
  unable: 3,
  /** Ended by Ctrl-C or SIGTERM before it was done; it has said what it had done by then. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An option of a command beside `--json` and `--help`. */
export interface OpsOption {
  readonly type: 'string' | 'boolean';
  readonly meaning: string;
}

/** One call of a command. */
export interface OpsCall {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  /** Exactly as many as the command's `takes`, the optional ones perhaps fewer. */
  readonly args: readonly string[];
  readonly installation: Installation;
  readonly output: Output;
  /**
   * Aborted by Ctrl-C and SIGTERM: the command then ends its step, says what it has done, and returns
   * `EXIT.interrupted`. One that takes longer than its `endsWithinMs` to do so is ended.
   */
  readonly signal: AbortSignal;
}

/** What an operator can ask for. */
export interface OpsCommand {
  /** One word or two. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What it takes, in order; in square brackets what may be left out. */
  readonly takes: readonly string[];
  readonly options?: Readonly<Record<string, OpsOption>>;
  /** What else one must know, in lines. */
  readonly notes?: readonly string[];
  /** How long it may take after Ctrl-C, ms, if it has to clean up; 5 s by default. */
  readonly endsWithinMs?: number;
  /** What to do after Ctrl-C if to call it again would not go on; null if it is meant to end so. */
  readonly afterInterrupt?: string | null;
  /** @throws OpsFailure */
  run(call: OpsCall): Promise<ExitCode>;
}

/** Something that a person can do something about. */
export class OpsFailure extends Error {
  override readonly name = 'OpsFailure';
  constructor(
    message: string,
    /** What to do. */
    readonly advice: string,
    readonly exitCode: ExitCode = EXIT.unable,
    /** The paragraph about it, if there is one. */
    readonly see?: string,
  ) {
    super(message);
  }
}

/** Called wrongly. */
export const wrongCall = (message: string, advice: string): OpsFailure => new OpsFailure(message, advice, EXIT.usage);

/** The options of a command as `parseArgs` wants them. */
export const parserOptions = ({ options = {} }: OpsCommand): NonNullable<ParseArgsConfig['options']> => ({
  ...Object.fromEntries(Object.entries(options).map(([name, { type }]) => [name, { type }])),
  json: { type: 'boolean' },
  help: { type: 'boolean' },
});

/** The text of an option, if it was given. */
export const textOption = ({ values }: OpsCall, name: string): string | undefined => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};

/** The number that an option gives, from 1 to 10,000. @throws OpsFailure */
export function countOption(call: OpsCall, name: string, unlessGiven: number): number {
  const count = Number(textOption(call, name) ?? unlessGiven);
  if (!Number.isInteger(count) || count < 1 || count > 10_000) {
    throw wrongCall(`--${name} takes a whole number from 1 to 10000`, 'give such a number');
  }
  return count;
}
