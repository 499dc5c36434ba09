import fc from 'fast-check';
import type { OpenApi, Schema } from './openapi-document.js';

/** Values of members that a schema alone does not tell, such as a URL that may be called; by the member's name. */
export type KnownValues = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Makes values that schemas allow, and values that they refuse. */
export class SchemaValues {
  constructor(
    private readonly document: Pick<OpenApi, 'components'>,
    private readonly known: KnownValues,
  ) {}

  valid(schema: Schema): fc.Arbitrary<unknown> {
    const made = this.made(this.resolved(schema));
    return schema.nullable === true
      ? fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 4, arbitrary: made })
      : made;
  }

  /** Objects with one fault each: a member of a wrong type, or one that there is not. */
  invalid(schema: Schema): fc.Arbitrary<unknown> {
    const resolved = this.resolved(schema);
    const names = Object.keys(resolved.properties ?? {});
    const faults = names.map((name) =>
      fc.constantFrom(...wrongFor(this.resolved(resolved.properties![name]!))).map((value) => ({ [name]: value })),
    );
    const unknown = fc.constant({ no_such_member: 1 });
    return fc
      .tuple(this.valid(schema), fc.oneof(unknown, ...faults))
      .map(([value, fault]) => ({ ...(value as object), ...fault }));
  }

  resolved(schema: Schema): Schema {
    if (schema.$ref !== undefined) return this.document.components.schemas[schema.$ref.split('/').at(-1)!]!;
    if (schema.allOf?.length === 1) return { ...this.resolved(schema.allOf[0]!), nullable: schema.nullable === true };
    return schema;
  }

  private made(schema: Schema): fc.Arbitrary<unknown> {
    const choices = schema.enum?.filter((value) => value !== null);
    if (choices) return fc.constantFrom(...choices);
    switch (schema.type) {
      case 'object':
        return this.object(schema);
      case 'array':
        return this.list(schema);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000 });
      case 'number':
        return fc.integer({ min: Math.ceil(schema.minimum ?? 0), max: schema.maximum ?? 1_000 });
      default:
        return textOf(schema);
    }
  }

  private object({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
    const members = Object.entries(properties).map(
      ([name, one]) => [name, this.known[name] ?? this.valid(one)] as const,
    );
    return fc.record(Object.fromEntries(members), { requiredKeys: [...required] });
  }

  private list({ items = {}, minItems = 0, maxItems = 5, uniqueItems = false }: Schema): fc.Arbitrary<unknown> {
    const bounds = { minLength: minItems, maxLength: Math.min(maxItems, 5) };
    const one = this.valid(items);
    return uniqueItems ? fc.uniqueArray(one, bounds) : fc.array(one, bounds);
  }
}

function textOf({ pattern, format, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  if (format === 'date-time') {
    const [min, max] = [new Date(Date.now() - 10 * 86_400_000), new Date()];
    return fc.date({ min, max, noInvalidDate: true }).map((at) => at.toISOString());
  }
  return fc.string({ minLength, maxLength: Math.min(maxLength, 40) });
}

/** Values that a schema of this kind refuses. */
export function wrongFor(schema: Schema): unknown[] {
  const kinds: readonly unknown[] = ['\u0001', 1.5, -1, true, [], {}, [{}], { x: [] }];
  switch (schema.type) {
    case 'object':
      return ['text', 1, true, [1]];
    case 'array':
      return ['text', 1, true, {}, [{}], [['x']]];
    case 'boolean':
      return ['true', 0, 1, [], {}];
    case 'integer':
    case 'number':
      return [
        '1',
        true,
        [],
        {},
        ...(schema.minimum === undefined ? [] : [schema.minimum - 1]),
        ...(schema.maximum === undefined ? [] : [schema.maximum + 1]),
      ];
    default:
      return kinds.filter(
        (value) => typeof value !== 'string' || schema.enum !== undefined || schema.pattern !== undefined,
      );
  }
}
