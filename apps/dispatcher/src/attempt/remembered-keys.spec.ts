import { expect, it } from 'vitest';
import { RememberedKeys } from './remembered-keys.js';

const known = (keys: RememberedKeys, ...of: string[]): string[] => of.filter((key) => keys.has(key));

it('remembers as many keys as it may, then forgets the oldest for each new one', () => {
  const keys = new RememberedKeys(2);
  keys.add('a');
  keys.add('b');
  expect(known(keys, 'a', 'b')).toEqual(['a', 'b']);
  keys.add('c');
  expect(known(keys, 'a', 'b', 'c')).toEqual(['b', 'c']);
  keys.add('d', 'e');
  expect(known(keys, 'a', 'b', 'c', 'd', 'e')).toEqual(['d', 'e']);
});

it('gives a key that it knows no second place', () => {
  const keys = new RememberedKeys(2);
  keys.add('a', 'b', 'a', 'b');
  expect(known(keys, 'a', 'b')).toEqual(['a', 'b']);
});
