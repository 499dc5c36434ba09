import { describe, expect, it } from 'vitest';
import german from './de.json';
import english from './en.json';

/** The names between braces: what a text is given. */
const placesIn = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name!))].sort();

describe('a catalogue', () => {
  it('has every text of the others and no other', () => {
    expect(Object.keys(german).sort()).toEqual(Object.keys(english).sort());
  });

  it('says everything with the same values', () => {
    const differing = Object.entries(english).filter(
      ([id, text]) => placesIn(text).join() !== placesIn(german[id as keyof typeof german]).join(),
    );
    expect(differing).toEqual([]);
  });
});
