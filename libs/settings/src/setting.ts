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

/** A property that is filled with an instance of another settings class. */
export interface DeclaredSection {
  readonly property: string;
  readonly section: SettingsClass;
}

export type SettingsClass<T extends object = object> = new () => T;

const DECLARED = Symbol('form-webhooks:settings');

/** Declares which environment variable fills a property of a settings class. */
export function Setting(definition: SettingDefinition): PropertyDecorator {
  return (target, property) => declare(target, { ...definition, property: String(property) });
}

/**
 * Declares that a property's type is a settings class itself: it is read, judged and described with its owner.
 * @throws TypeError, where the class is declared, if the type is none or is imported as a type only
 */
export function Section(): PropertyDecorator {
  return (target, property) => {
    const section = Reflect.getMetadata('design:type', target, property) as SettingsClass | undefined;
    if (section === undefined || membersOf(section).length === 0) {
      throw new TypeError(`the type of ${target.constructor.name}.${String(property)} is not a settings class`);
    }
    declare(target, { property: String(property), section });
  };
}

function declare(target: object, member: DeclaredSetting | DeclaredSection): void {
  Reflect.defineMetadata(DECLARED, [...membersOf(target), member], target);
}

/** What a class (or its prototype, or an instance) declares, in the order in which it does. */
export function membersOf(target: object): readonly (DeclaredSetting | DeclaredSection)[] {
  const prototype = typeof target === 'function' ? (target.prototype as object) : target;
  return (Reflect.getMetadata(DECLARED, prototype) as (DeclaredSetting | DeclaredSection)[] | undefined) ?? [];
}

/** Every setting that a class declares, those of its sections included. */
export const settingsOf = (target: object): readonly DeclaredSetting[] =>
  membersOf(target).flatMap((member) => ('section' in member ? settingsOf(member.section) : [member]));

/** The sections of settings that were read, each an instance of its class. */
export const sectionsOf = (settings: object): readonly object[] =>
  membersOf(settings)
    .filter((member) => 'section' in member)
    .map(({ property }) => Reflect.get(settings, property) as object);
