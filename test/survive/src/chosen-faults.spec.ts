import { describe, expect, it } from 'vitest';
import { chosenFaults, type Choice } from './chosen-faults.js';

const FLOOD = 'a flood from one form';
const CERTIFICATES = [
  'the certificates of broker and database changed',
  "the authority of receivers' certificates changed",
];
const kinds = (choice: Partial<Choice>): string[] =>
  chosenFaults({ cluster: false, each: false, only: '', ...choice }).map(({ kind }) => kind);

describe('which faults a run strikes', () => {
  it('leaves the flood, which takes minutes, out of a run of some minutes', () => {
    expect(kinds({})).not.toContain(FLOOD);
    expect(kinds({ each: true })).toContain(FLOOD);
    expect(kinds({ only: 'flood' })).toEqual([FLOOD]);
  });

  it('leaves certificates out of it too, as each takes rounds of restarts', () => {
    expect(kinds({}).filter((kind) => kind.includes('certificate'))).toEqual([]);
    expect(kinds({ each: true })).toEqual(expect.arrayContaining(CERTIFICATES));
    expect(kinds({ only: 'certificate' })).toEqual(CERTIFICATES);
    expect(kinds({ each: true, cluster: true })).not.toContain(CERTIFICATES[0]);
  });

  it('fills disks and takes a short day only if told so by name', () => {
    expect(kinds({ each: true }).filter((kind) => /disk|old backup/.test(kind))).toEqual([]);
    expect(kinds({ only: 'disk' }).length).toBeGreaterThan(0);
    expect(kinds({ only: 'old backup' })).toHaveLength(1);
  });

  it('has none but those of an upgrade from an earlier version, in their order', () => {
    expect(kinds({ from: '../earlier' }).slice(0, 2)).toEqual(['nothing', 'upgrade of config']);
  });

  it('refuses words that name nothing, and says what there is', () => {
    expect(() => kinds({ only: 'earthquake' })).toThrow(FLOOD);
  });
});
