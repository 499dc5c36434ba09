import { SCHEMA_VERSION } from './headers.js';
import { UnreadableMessage } from './unreadable-message.js';

/** Broadcast on `webhook.config-changes` after commit: whoever cached the thing drops its copy. */
export type ConfigChange =
  { readonly kind: 'form'; readonly form_id: string } | { readonly kind: 'api_key'; readonly key_id: string };

export const encodeConfigChange = (change: ConfigChange): Buffer =>
  Buffer.from(JSON.stringify({ schema_version: SCHEMA_VERSION, ...change }));

/** @throws UnreadableMessage */
export function decodeConfigChange(body: Buffer): ConfigChange {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
  } catch {
    throw new UnreadableMessage('a config change is not JSON');
  }
  if (value['schema_version'] !== SCHEMA_VERSION) throw new UnreadableMessage('a config change of an unknown version');
  if (value['kind'] === 'form' && typeof value['form_id'] === 'string') {
    return { kind: 'form', form_id: value['form_id'] };
  }
  if (value['kind'] === 'api_key' && typeof value['key_id'] === 'string') {
    return { kind: 'api_key', key_id: value['key_id'] };
  }
  throw new UnreadableMessage(`a config change of unknown kind ${String(value['kind'])}`);
}
