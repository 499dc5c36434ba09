import { getMetadataStorage, ValidationTypes } from 'class-validator';

/** Part of a JSON schema. */
export type SchemaPart = Readonly<Record<string, unknown>>;

/** What a body's or query's class demands of one member. */
export interface MemberRules {
  readonly own: SchemaPart;
  /** Of each item, where the member is a list. */
  readonly items: SchemaPart;
  /** It must be there in any case. */
  readonly isRequired: boolean;
}

/** What one rule means in a schema; a rule that has no entry says nothing there. */
type Meaning = (constraints: readonly unknown[]) => SchemaPart;

const MEANINGS: Readonly<Record<string, Meaning>> = {
  isString: () => ({ type: 'string' }),
  isBoolean: () => ({ type: 'boolean' }),
  isInt: () => ({ type: 'integer' }),
  isObject: () => ({ type: 'object' }),
  isIn: ([values]) => ({ enum: values }),
  matches: ([pattern]) => ({ pattern: (pattern as RegExp).source }),
  isNotEmpty: () => ({ minLength: 1 }),
  maxLength: ([max]) => ({ maxLength: max }),
  min: ([min]) => ({ minimum: min }),
  max: ([max]) => ({ maximum: max }),
  notEquals: ([value]) => ({ not: { enum: [value] } }),
  arrayNotEmpty: () => ({ minItems: 1 }),
  arrayMaxSize: ([max]) => ({ maxItems: max }),
  arrayUnique: () => ({ uniqueItems: true }),
};

/**
 * The rules that validate a class, told as JSON schema, so that a document says what is checked and nobody writes it
 * twice.
 * @param own meanings of rules that are not class-validator's, by their names
 */
export function rulesOf(
  body: abstract new (...args: never[]) => unknown,
  own: Readonly<Record<string, Meaning>> = {},
): ReadonlyMap<string, MemberRules> {
  const meanings = { ...MEANINGS, ...own };
  const found = getMetadataStorage().getTargetValidationMetadatas(body, '', true, false);
  const names = [...new Set(found.map(({ propertyName }) => propertyName))];
  return new Map(
    names.map((name) => {
      const rules = found.filter(({ propertyName }) => propertyName === name);
      const told = (each: boolean): SchemaPart =>
        rules
          .filter((rule) => (rule.each === true) === each)
          .map((rule) => meanings[rule.name ?? rule.type]?.((rule.constraints ?? []) as unknown[]))
          .reduce<SchemaPart>((all, one) => ({ ...all, ...one }), {});
      const mayBeAbsent = rules.some(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION);
      return [name, { own: told(false), items: told(true), isRequired: !mayBeAbsent }];
    }),
  );
}
