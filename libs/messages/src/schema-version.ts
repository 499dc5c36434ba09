import { UnreadableMessage } from './unreadable-message.js';

/** The version of every message between our services; a reader parks what it doesn't know. */
export const SCHEMA_VERSION = 1;

export function unknownVersion(version: unknown): UnreadableMessage {
  const shown =
    typeof version === 'number' || typeof version === 'string' ? String(version).slice(0, 32) : typeof version;
  return new UnreadableMessage(`schema_version is ${shown}; this service reads ${SCHEMA_VERSION}`);
}
