import type { Scene } from '../fault.js';

/** As whoever has the admin key. @returns the answer's body @throws Error with status and text if it is no success */
export async function callConfig({ stage }: Scene, method: string, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${stage.adminKey}`, 'content-type': 'application/json' };
  const response = await fetch(`${stage.configUrl}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
