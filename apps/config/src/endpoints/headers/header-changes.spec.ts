import { describe, expect, it } from 'vitest';
import { readHeaderChanges } from './header-changes.js';

const RESERVED: ReadonlySet<string> = new Set(['x-service-signature']);
const codes = (given: Record<string, unknown>, mayRemove = false): unknown[] =>
  readHeaderChanges(given, RESERVED, mayRemove).problems.map(({ field, code }) => [field, code]);

describe('what a caller wants of headers', () => {
  it('is kept by names in lower case', () => {
    const { changes, problems } = readHeaderChanges({ Authorization: 'Bearer x', 'X-A': null }, RESERVED, true);
    expect(problems).toEqual([]);
    expect([...changes]).toEqual([
      ['authorization', 'Bearer x'],
      ['x-a', null],
    ]);
  });

  it('is refused with all that is wrong, and no value is repeated', () => {
    const given = { Host: 'canary', 'x-a': 'cana\nry', 'X-Service-Signature': 'canary', 'x-b': 1, 'x-c': null };
    expect(codes(given)).toEqual([
      ['headers.Host', 'not_allowed'],
      ['headers.x-a', 'format'],
      ['headers.X-Service-Signature', 'not_allowed'],
      ['headers.x-b', 'type'],
      ['headers.x-c', 'type'],
    ]);
    expect(JSON.stringify(readHeaderChanges(given, RESERVED, false).problems)).not.toContain('canary');
  });

  it('is refused if one header has two values by names of another case', () => {
    expect(codes({ 'x-a': '1', 'X-A': '2' })).toEqual([['headers.X-A', 'repeated']]);
  });

  it('is refused in short, however long its names are', () => {
    const { problems } = readHeaderChanges({ ['a'.repeat(10_000)]: '1' }, RESERVED, false);
    expect(JSON.stringify(problems).length).toBeLessThan(400);
  });
});
