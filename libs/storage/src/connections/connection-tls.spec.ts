import { describe, expect, it } from 'vitest';
import { checkConnectionTls } from './connection-tls.js';

const check = (query: string) => () => checkConnectionTls(`postgresql://a:b@db.example:5432/name${query}`);

describe('TLS of a database URL', () => {
  it.each(['', '?sslmode=disable', '?sslmode=verify-full', '?sslmode=verify-full&sslrootcert=/ca.pem', '?options=x'])(
    'is verified or not there: %s',
    (query) => expect(check(query)).not.toThrow(),
  );

  it.each([
    ['?sslmode=prefer', 'not "prefer"'],
    ['?sslmode=require', 'not "require"'],
    ['?sslmode=no-verify', 'not "no-verify"'],
    ['?sslmode=verify-full&sslmode=no-verify', 'more than once'],
    ['?ssl=true', 'instead of ssl'],
    ['?sslmode=verify-full&uselibpqcompat=true', 'weakens'],
    ['?sslrootcert=/ca.pem', 'needs sslmode'],
  ])('%s is refused, since it would not mean what its author thinks', (query, words) => {
    expect(check(query)).toThrow(words);
  });
});
