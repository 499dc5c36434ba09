/**
 * Something that a person has to act on: one sentence that says what failed, one that says what to do, and the last
 * lines of the program that failed. It is printed without a stack.
 */
export class LocalFailure extends Error {
  readonly advice: string;
  readonly output: readonly string[];

  constructor(what: string, advice = '', output: readonly string[] = []) {
    super([what, advice, ...output.map((line) => `  | ${line}`)].filter((line) => line !== '').join('\n'));
    this.name = 'LocalFailure';
    this.advice = advice;
    this.output = output;
  }
}

/** What an unknown thrown value says, in one line. */
export const reasonOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

export const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
