import { givenText } from './given-text.js';
import { membersOf, sectionsOf, type DeclaredSetting, type SettingsClass } from './setting.js';

/** Everything that is wrong with the environment, in one error. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  constructor(readonly problems: readonly string[]) {
    super(`the configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether values go together: the problem, a sentence that names their variables, or undefined. It reads no value that
 * it does not judge by, since it is passed over if one of those that it reads is wrong itself.
 */
export type SettingsCheck = () => string | undefined;

/** A settings class may judge its values as a whole. Values are read in the checks, not while they are listed. */
interface JudgesItself {
  checks?(): readonly SettingsCheck[];
}

/** Ends a check of values of which one is wrong. */
class NoValue extends Error {}

/**
 * Reads and converts every setting that the class and its sections declare, and lets each section and at last the class
 * judge its values as a whole, as far as they are right by themselves.
 * @returns a frozen instance, its sections frozen too
 * @throws SettingsError with all problems at once
 */
export function loadSettings<T extends object>(Class: SettingsClass<T>, environment: Environment): Readonly<T> {
  const settings = new Class();
  const problems = [...unsafe(environment), ...fill(settings, environment), ...judge(settings)];
  if (problems.length > 0) throw new SettingsError(problems);
  return freeze(settings);
}

/**
 * What no service and no command runs with. Proxy variables need no check: neither got nor the sender's agent reads them.
 */
function unsafe(environment: Environment): string[] {
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED']?.trim() !== '0') return [];
  return [
    'NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the verification of every certificate: of receivers, the broker, the ' +
      'database and the identity provider. Unset it. To trust a private authority, name its file in ' +
      'NODE_EXTRA_CA_CERTS, and for receivers in EGRESS_CA_FILE',
  ];
}

function fill(settings: object, environment: Environment): string[] {
  return membersOf(settings).flatMap((member) => {
    if (!('section' in member)) return readOrWithhold(settings, member, environment);
    const section = new member.section();
    Reflect.set(settings, member.property, section);
    return fill(section, environment);
  });
}

function readOrWithhold(settings: object, setting: DeclaredSetting, environment: Environment): string[] {
  const problems = readInto(settings, setting, environment);
  if (problems.length > 0) withhold(settings, setting.property);
  return problems;
}

function withhold(settings: object, property: string): void {
  const get = (): never => {
    throw new NoValue(property);
  };
  Object.defineProperty(settings, property, { get });
}

function readInto(settings: object, setting: DeclaredSetting, environment: Environment): string[] {
  try {
    const text = givenText(setting, environment) ?? setting.default;
    if (text === undefined) return setting.optional ? [] : [`${setting.env} is missing: ${setting.meaning}`];
    return convertInto(settings, setting, text);
  } catch (error) {
    return [(error as Error).message];
  }
}

function convertInto(settings: object, setting: DeclaredSetting, text: string): string[] {
  try {
    Reflect.set(settings, setting.property, setting.parse ? setting.parse(text) : text);
    return [];
  } catch (error) {
    return [`${setting.env}: ${(error as Error).message} (${setting.meaning})`];
  }
}

const judge = (settings: JudgesItself): string[] => [
  ...sectionsOf(settings).flatMap(judge),
  ...(settings.checks?.() ?? []).flatMap(problemOf),
];

function problemOf(check: SettingsCheck): string[] {
  try {
    const problem = check();
    return problem === undefined ? [] : [problem];
  } catch (error) {
    if (error instanceof NoValue) return [];
    throw error;
  }
}

function freeze<T extends object>(settings: T): Readonly<T> {
  sectionsOf(settings).forEach(freeze);
  return Object.freeze(settings);
}

/** The settings as lines for the log; secrets only as "set" or "not set". */
export const describeSettings = (settings: object): Record<string, unknown> =>
  Object.fromEntries(describedValues(settings));

function describedValues(settings: object): [string, unknown][] {
  return membersOf(settings).flatMap((member) => {
    const value: unknown = Reflect.get(settings, member.property);
    if ('section' in member) return describedValues(value as object);
    return [[member.env, member.secret ? (value === undefined ? 'not set' : 'set') : value]];
  });
}

/** Like `loadSettings`, for a process's entry: what is wrong is printed and the process ends with exit code 2. */
export function loadSettingsOrExit<T extends object>(app: string, Class: SettingsClass<T>): Readonly<T> {
  try {
    return loadSettings(Class, process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${app} can not start: ${error.message}\n`);
    process.exit(2);
  }
}
