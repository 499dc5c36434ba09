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

describe('a word of the German texts', () => {
  const idsWith = (word: RegExp): string[] =>
    Object.entries(german)
      .filter(([, text]) => word.test(text))
      .map(([id]) => id);

  it('means the audit log alone where it is "Protokoll"', () => {
    expect(idsWith(/Protokoll/).filter((id) => !/^(?:nav\.|scope\.)?audit/.test(id))).toEqual([]);
  });

  it.each([
    ['"Weiterleitung", no "Umleitung"', /Umleitung|umgeleitet/],
    ['"abgesagt", not "abgebrochen"', /abgebrochen/],
    ['"erneut gesendet", as a "Wiederholung" is an attempt of the same sending', /Wiederholung$/],
  ])('is the only one for its thing: %s', (_words, other) => {
    expect(idsWith(other)).toEqual([]);
  });

  it('begins no sentence as "Ihr" of anything but what is the reader\'s: there it is read as "your"', () => {
    const owned = Object.values(german).flatMap((text) => [...text.matchAll(/(?:^|[.:;?!] )Ihre? (\p{L}+)/gu)]);
    expect([...new Set(owned.map(([, thing]) => thing))].sort()).toEqual(['Browser', 'Server', 'Sitzung']);
  });

  it('is "der Schlüssel" wherever a key is meant', () => {
    for (const id of ['keys.once', 'keys.stored'] as const) expect(german[id]).toMatch(/\bihn\b/);
  });
});
