import { readJsonObject } from './json-object.js';
import { SCHEMA_VERSION, unknownVersion } from './schema-version.js';
import { UnreadableMessage } from './unreadable-message.js';

/**
 * Broadcast on `webhook.config-changes` after commit: whoever cached the thing drops its copy. A service that does not
 * know `all_forms` yet drops every copy, which is what it says.
 */
export type ConfigChange =
  | { readonly kind: 'form'; readonly form_id: string }
  | { readonly kind: 'all_forms' }
  | { readonly kind: 'api_key'; readonly key_id: string };

export const encodeConfigChange = (change: ConfigChange): Buffer =>
  Buffer.from(JSON.stringify({ schema_version: SCHEMA_VERSION, ...change }));

/** @throws UnreadableMessage */
export function decodeConfigChange(body: Buffer): ConfigChange {
  const value = readJsonObject(body.toString('utf8'), 'a config change');
  if (value['schema_version'] !== SCHEMA_VERSION) throw unknownVersion(value['schema_version']);
  if (value['kind'] === 'form' && typeof value['form_id'] === 'string') {
    return { kind: 'form', form_id: value['form_id'] };
  }
  if (value['kind'] === 'all_forms') return { kind: 'all_forms' };
  if (value['kind'] === 'api_key' && typeof value['key_id'] === 'string') {
    return { kind: 'api_key', key_id: value['key_id'] };
  }
  throw new UnreadableMessage('a config change is of no known kind');
}
