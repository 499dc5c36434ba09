import { UnreadableMessage } from './unreadable-message.js';

/**
 * The members of a JSON object in a message between our services.
 * @param what the text's name in the complaint
 * @throws UnreadableMessage
 */
export function readJsonObject(text: string, what: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableMessage(`${what} is not JSON`);
  }
  if (typeof value !== 'object' || value === null) throw new UnreadableMessage(`${what} is no JSON object`);
  return value as Record<string, unknown>;
}
