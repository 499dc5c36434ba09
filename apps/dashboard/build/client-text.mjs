import openapiTS, { astToString } from 'openapi-typescript';
import { format } from 'prettier';

const HEAD = '// Generated from the OpenAPI document of apps/config by `npm run client`. Not to be edited.\n';

/** The types of the API, as the client uses them, without the descriptions that people read at /docs. */
export async function clientText(document) {
  const text = astToString(await openapiTS(withoutWords(document, false), { defaultNonNullable: false }));
  return format(HEAD + text, { parser: 'typescript', singleQuote: true, printWidth: 120, trailingComma: 'all' });
}

/** `isNames`: the keys are names of members, so one called "description" is no description. */
function withoutWords(value, isNames) {
  if (Array.isArray(value)) return value.map((one) => withoutWords(one, false));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key]) => isNames || !['description', 'summary', 'example', 'examples'].includes(key),
  );
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutWords(one, key === 'properties' && !isNames)]));
}
