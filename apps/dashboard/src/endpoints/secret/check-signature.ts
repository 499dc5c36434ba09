/** The secrets of a text, one a line. */
export const secretsIn = (text: string): string[] => text.split(/\s+/).filter((one) => one !== '');

/** The end of a secret, by which the page tells two apart. */
export const hintOf = (secret: string): string => `…${secret.slice(-4)}`;

/** Which of several secrets a body was signed with; undefined for none of them. */
export async function signingSecret(
  body: string,
  signature: string,
  secrets: readonly string[],
): Promise<string | undefined> {
  const verdicts = await Promise.all(secrets.map((secret) => isSignedWith(body, signature, secret)));
  return secrets[verdicts.indexOf(true)];
}

const HEX = /^[0-9a-f]{64}$/;

/** Whether a body was signed with a secret: the lower-case hex HMAC-SHA256 over its bytes, computed in the browser. */
export async function isSignedWith(body: string, signature: string, secret: string): Promise<boolean> {
  const given = signature.trim().toLowerCase();
  if (!HEX.test(given)) return false;
  const encode = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encode.encode(secret), algorithm, false, ['verify']);
  const bytes = Uint8Array.from(given.match(/../g)!, (pair) => parseInt(pair, 16));
  return crypto.subtle.verify('HMAC', key, bytes, encode.encode(body));
}
