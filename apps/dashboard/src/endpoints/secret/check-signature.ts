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
