import { describe, expect, it } from 'vitest';
import { asDuration, asInteger, asUrl } from './parsers.js';
import { describeSettings, loadSettings, SettingsError } from './load-settings.js';
import { Setting } from './setting.js';

class Base {
  @Setting({ env: 'URL', meaning: 'the broker', parse: asUrl('amqp'), secret: true })
  url: string;
}

class Example extends Base {
  @Setting({ env: 'WAIT', meaning: 'how long', default: '5s', parse: asDuration(1, 60_000) })
  waitMs: number;

  @Setting({ env: 'COUNT', meaning: 'how many', default: '3', parse: asInteger(1, 9) })
  count: number;

  @Setting({ env: 'FILE', meaning: 'a file', optional: true })
  file?: string;

  problems(): string[] {
    return this.count > 5 && this.waitMs > 10_000 ? ['COUNT above 5 needs WAIT of at most 10s'] : [];
  }
}

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    loadSettings(Example, environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
};

describe('loadSettings', () => {
  it('converts what is set, fills defaults and freezes the result', () => {
    const settings = loadSettings(Example, { URL: 'amqp://u:p@h', WAIT: ' 30s ' });
    expect(settings).toMatchObject({ url: 'amqp://u:p@h', waitMs: 30_000, count: 3 });
    expect(settings.file).toBeUndefined();
    expect(Object.isFrozen(settings)).toBe(true);
  });

  it('names every wrong variable in one error', () => {
    expect(problemsOf({ WAIT: 'soon', COUNT: '12' })).toEqual([
      'URL is missing: the broker',
      expect.stringContaining('WAIT: "soon" is not a duration'),
      'COUNT: "12" is not a whole number from 1 to 9 (how many)',
    ]);
  });

  it('judges the values as a whole', () => {
    expect(problemsOf({ URL: 'amqp://h', WAIT: '60s', COUNT: '6' })).toEqual([
      'COUNT above 5 needs WAIT of at most 10s',
    ]);
  });

  it('treats an empty variable as not set', () => {
    expect(loadSettings(Example, { URL: 'amqp://h', COUNT: '' }).count).toBe(3);
  });

  it('never repeats a secret, neither in an error nor in the description', () => {
    expect(problemsOf({ URL: 'http://u:hunter2@h' }).join()).not.toContain('hunter2');
    const described = describeSettings(loadSettings(Example, { URL: 'amqp://u:hunter2@h' }));
    expect(described).toEqual({ URL: 'set', WAIT: 5_000, COUNT: 3, FILE: undefined });
  });
});
