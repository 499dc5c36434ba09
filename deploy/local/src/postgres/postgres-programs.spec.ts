import { describe, expect, it } from 'vitest';
import { preferred } from './postgres-programs.js';

describe('the version of PostgreSQL that runs', () => {
  const found = [{ major: 18 }, { major: 16 }, { major: 15 }];

  it('is that of the data where it is installed beside newer ones, which could not read them', () => {
    expect(preferred(found, '16')).toEqual({ major: 16 });
  });

  it('is the first that was found where there are no data, or theirs is not installed', () => {
    expect(preferred(found)).toEqual({ major: 18 });
    expect(preferred(found, '14')).toEqual({ major: 18 });
    expect(preferred([], '14')).toBeUndefined();
  });
});
