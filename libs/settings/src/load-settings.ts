import { validateSync } from 'class-validator';
import { settingsOf, type DeclaredSetting } from './setting.js';

/** Everything that is wrong with the environment, in one error. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  constructor(readonly problems: readonly string[]) {
    super(`the configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

/** A settings class may judge its values as a whole; each problem is a sentence that names the variables. */
interface JudgesItself {
  problems?(): string[];
}

/**
 * Reads, converts and validates every setting that the class declares.
 * @returns a frozen instance
 * @throws SettingsError with all problems at once
 */
export function loadSettings<T extends object>(
  Class: new () => T,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<T> {
  const settings = new Class();
  const declared = settingsOf(Class);
  const problems = declared.flatMap((setting) => readInto(settings, setting, environment[setting.env]));
  if (problems.length === 0) problems.push(...violations(settings, declared));
  if (problems.length === 0) problems.push(...((settings as JudgesItself).problems?.() ?? []));
  if (problems.length > 0) throw new SettingsError(problems);
  return Object.freeze(settings);
}

function readInto(settings: object, setting: DeclaredSetting, given: string | undefined): string[] {
  // An empty variable counts as not set: compose files and shells pass "" for what nobody filled in.
  const text = given === undefined || given.trim() === '' ? setting.default : given.trim();
  if (text === undefined) return setting.optional ? [] : [`${setting.env} is missing: ${setting.meaning}`];
  try {
    Reflect.set(settings, setting.property, setting.parse ? setting.parse(text) : text);
    return [];
  } catch (error) {
    return [`${setting.env}: ${(error as Error).message} (${setting.meaning})`];
  }
}

function violations(settings: object, declared: readonly DeclaredSetting[]): string[] {
  return validateSync(settings, { forbidUnknownValues: false }).flatMap((violation) => {
    const setting = declared.find(({ property }) => property === violation.property);
    return Object.values(violation.constraints ?? {}).map((text) => `${setting?.env ?? violation.property}: ${text}`);
  });
}

/** The settings as lines for the log; secrets only as "set" or "not set". */
export function describeSettings(settings: object): Record<string, unknown> {
  return Object.fromEntries(
    settingsOf(settings.constructor).map((setting) => {
      const value: unknown = Reflect.get(settings, setting.property);
      return [setting.env, setting.secret ? (value === undefined ? 'not set' : 'set') : value];
    }),
  );
}

/** Like `loadSettings`, for a process's entry: what is wrong is printed and the process ends with exit code 2. */
export function loadSettingsOrExit<T extends object>(app: string, Class: new () => T): Readonly<T> {
  try {
    return loadSettings(Class, process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${app} can not start: ${error.message}\n`);
    process.exit(2);
  }
}
