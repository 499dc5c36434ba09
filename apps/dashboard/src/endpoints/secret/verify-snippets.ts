/** Code with which a receiver verifies a signature; docs/verifying.md has the same, and its test compares them. */
export interface Snippet {
  readonly name: string;
  readonly code: string;
}

export const SNIPPETS: readonly Snippet[] = [
  {
    name: 'Node.js',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isGenuine(rawBody, header, secret) {
  if (!secret) throw new Error('no secret is set, and anybody can sign with an empty one');
  const expected = createHmac('sha256', secret).update(rawBody).digest();
  const given = Buffer.from(header ?? '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}`,
  },
  {
    name: 'Python',
    code: `import hashlib
import hmac


def is_genuine(raw_body: bytes, header: str | None, secret: str) -> bool:
    if not secret:
        raise ValueError("no secret is set, and anybody can sign with an empty one")
    expected = hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), (header or "").encode())`,
  },
  {
    name: 'PHP',
    code: `// is_genuine(file_get_contents('php://input'), $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? null, $secret)
function is_genuine(string $rawBody, ?string $header, string $secret): bool
{
    if ($secret === '') {
        throw new ValueError('no secret is set, and anybody can sign with an empty one');
    }
    return hash_equals(hash_hmac('sha256', $rawBody, $secret), $header ?? '');
}`,
  },
  {
    name: 'Standard Webhooks',
    code: `import { Webhook } from 'standardwebhooks';

export const openEvent = (rawBody, headers, secret) => new Webhook(secret).verify(rawBody, headers);`,
  },
];
