import 'reflect-metadata';

/** What one environment variable means to a settings class. */
export interface SettingDefinition {
  /** The variable's name. */
  readonly env: string;
  /** One sentence: what it is, with unit and bounds. */
  readonly meaning: string;
  /** The text that stands for it when it is not set; without one the variable is required, unless optional. */
  readonly default?: string;
  /** Absent is allowed and leaves the property undefined. */
  readonly optional?: boolean;
  /** Turns the text into the value. @throws Error whose message completes "NAME: …" */
  readonly parse?: (text: string) => unknown;
  /** Never printed. */
  readonly secret?: boolean;
}

export interface DeclaredSetting extends SettingDefinition {
  readonly property: string;
}

const DECLARED = Symbol('form-webhooks:settings');

/** Declares which environment variable fills a property of a settings class. */
export function Setting(definition: SettingDefinition): PropertyDecorator {
  return (target, property) => {
    const inherited = settingsOf(target);
    const declared: DeclaredSetting = { ...definition, property: String(property) };
    Reflect.defineMetadata(DECLARED, [...inherited, declared], target);
  };
}

/** Every setting that a class (or its prototype) declares, inherited ones first. */
export function settingsOf(target: object): readonly DeclaredSetting[] {
  const prototype = typeof target === 'function' ? (target.prototype as object) : target;
  return (Reflect.getMetadata(DECLARED, prototype) as DeclaredSetting[] | undefined) ?? [];
}
