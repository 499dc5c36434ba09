/** A schema of the document while it is being completed. */
export interface Schema {
  type?: string;
  format?: string;
  enum?: unknown[];
  nullable?: boolean;
  $ref?: string;
  items?: Schema;
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  [keyword: string]: unknown;
}

const REFERENCE = '#/components/schemas/';

/** The name of the schema that a reference leads to. */
export const nameOf = (reference: string): string => reference.slice(REFERENCE.length);

/** Where examples stand, which may look like schemas and are none. */
const NO_SCHEMAS: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum']);

/** Shows every object of the document to `visit`, the inner ones first. */
export function eachObject(value: unknown, visit: (schema: Schema) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) if (!NO_SCHEMAS.has(name)) eachObject(member, visit);
  if (!Array.isArray(value)) visit(value as Schema);
}

/** The names of the schemas that a schema leads to, directly or not. */
export function reachable(from: unknown, schemas: Readonly<Record<string, Schema>>): ReadonlySet<string> {
  const names = new Set<string>();
  const follow = (value: unknown): void =>
    eachObject(value, ({ $ref }) => {
      if ($ref === undefined || names.has(nameOf($ref))) return;
      names.add(nameOf($ref));
      follow(schemas[nameOf($ref)]);
    });
  follow(from);
  return names;
}
