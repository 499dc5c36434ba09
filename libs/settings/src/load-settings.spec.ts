import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asDuration, asHeaders, asInteger, asRanges, asShare, asUrl } from './parsers.js';
import { describeSettings, loadSettings, SettingsError, type SettingsCheck } from './load-settings.js';
import { Section, sectionsOf, Setting, settingsOf } from './setting.js';

class Link {
  @Setting({ env: 'URL', meaning: 'the broker', parse: asUrl('amqp'), secret: true })
  readonly url: string;

  checks(): readonly SettingsCheck[] {
    return [() => (this.url.startsWith('amqp://nobody') ? 'URL names nobody' : undefined)];
  }
}

class Example {
  @Section()
  readonly link: Link;

  @Setting({ env: 'WAIT', meaning: 'how long', default: '5s', parse: asDuration(1, 60_000) })
  readonly waitMs: number;

  @Setting({ env: 'COUNT', meaning: 'how many', default: '3', parse: asInteger(1, 9) })
  readonly count: number;

  @Setting({ env: 'FILE', meaning: 'a file', optional: true })
  readonly file?: string;

  checks(): readonly SettingsCheck[] {
    return [() => (this.count > 5 && this.waitMs > 10_000 ? 'COUNT above 5 needs WAIT of at most 10s' : undefined)];
  }
}

it('refuses an environment in which no certificate is verified', () => {
  expect(problemsOf({ URL: 'amqp://x', NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toEqual([
    expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED=0 .* Unset it\./),
  ]);
  expect(problemsOf({ URL: 'amqp://x', NODE_TLS_REJECT_UNAUTHORIZED: '1', HTTPS_PROXY: 'x' })).toEqual([]);
});

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
    expect(settings).toMatchObject({ link: { url: 'amqp://u:p@h' }, waitMs: 30_000, count: 3 });
    expect(settings.file).toBeUndefined();
    expect(Object.isFrozen(settings)).toBe(true);
  });

  it('makes each section an instance of its class, frozen as well', () => {
    const settings = loadSettings(Example, { URL: 'amqp://h' });
    expect(settings.link).toBeInstanceOf(Link);
    expect(Object.isFrozen(settings.link)).toBe(true);
    expect(sectionsOf(settings)).toEqual([settings.link]);
  });

  it('refuses a URL whose password no client could decode, without repeating it', () => {
    expect(problemsOf({ URL: 'amqp://u:hunter%2@h' })).toEqual([
      expect.stringMatching(/^URL: (?!.*hunter).*write %25 for a %/),
    ]);
    expect(problemsOf({ URL: 'amqp://u:hunter%252@h' })).toEqual([]);
  });

  it('names every wrong variable in one error', () => {
    expect(problemsOf({ WAIT: 'soon', COUNT: '12' })).toEqual([
      'URL is missing: the broker',
      expect.stringContaining('WAIT: "soon" is not a duration'),
      'COUNT: "12" is not a whole number from 1 to 9 (how many)',
    ]);
  });

  it('judges the values as a whole, section by section and all together', () => {
    expect(problemsOf({ URL: 'amqp://h', WAIT: '60s', COUNT: '6' })).toEqual([
      'COUNT above 5 needs WAIT of at most 10s',
    ]);
    expect(problemsOf({ URL: 'amqp://nobody@h', WAIT: '60s', COUNT: '6' })).toEqual([
      'URL names nobody',
      'COUNT above 5 needs WAIT of at most 10s',
    ]);
  });

  it('judges what is right by itself also beside what is wrong, and what is wrong no further', () => {
    expect(problemsOf({ WAIT: '60s', COUNT: '6' })).toEqual([
      'URL is missing: the broker',
      'COUNT above 5 needs WAIT of at most 10s',
    ]);
    expect(problemsOf({ URL: 'amqp://nobody@h', WAIT: 'soon', COUNT: '6' })).toEqual([
      expect.stringContaining('WAIT: "soon" is not a duration'),
      'URL names nobody',
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

describe('a secret in a file', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'settings-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  const fileWith = (content: string): string => {
    const file = join(folder, `secret-${content.length}`);
    writeFileSync(file, content);
    return file;
  };

  it('is read without the line break at its end', () => {
    expect(loadSettings(Example, { URL_FILE: fileWith('amqp://u:p@h\n') }).link.url).toBe('amqp://u:p@h');
    expect(loadSettings(Example, { URL: 'amqp://h', URL_FILE: '' }).link.url).toBe('amqp://h');
  });

  it('is not taken beside the variable itself, so that nobody wonders which one counts', () => {
    expect(problemsOf({ URL: 'amqp://h', URL_FILE: fileWith('amqp://h') })).toEqual([
      'URL and URL_FILE are both set; unset one of them',
    ]);
  });

  it('is missed in words that name the file and never what is in it', () => {
    expect(problemsOf({ URL_FILE: join(folder, 'none') })).toEqual([
      expect.stringMatching(/^URL_FILE: .*none.* ENOENT/),
    ]);
    expect(problemsOf({ URL_FILE: folder })).toEqual([expect.stringContaining('it is no regular file')]);
    expect(problemsOf({ URL_FILE: fileWith(' \n') })).toEqual([expect.stringContaining('is empty')]);
    expect(problemsOf({ URL_FILE: fileWith('x'.repeat(65_537)) })).toEqual([
      expect.stringContaining('more than 65536 bytes'),
    ]);
    expect(problemsOf({ URL_FILE: fileWith('http://u:hunter2@h') }).join()).not.toContain('hunter2');
  });

  it('is only read for what is a secret', () => {
    expect(loadSettings(Example, { URL: 'amqp://h', COUNT_FILE: fileWith('7') }).count).toBe(3);
  });
});

describe('a settings class', () => {
  it('lists the settings of its sections where it declares them', () => {
    expect(settingsOf(Example).map(({ env }) => env)).toEqual(['URL', 'WAIT', 'COUNT', 'FILE']);
  });

  it('can not have a section that declares no settings', () => {
    const declare = (): unknown => {
      class Wrong {
        @Section()
        readonly when: Date;
      }
      return Wrong;
    };
    expect(declare).toThrow('the type of Wrong.when is not a settings class');
  });
});

describe('headers', () => {
  it('are pairs whose values are decoded', () => {
    expect(asHeaders('x-token=a%20secret%3D, x-scope=t1')).toEqual({ 'x-token': 'a secret=', 'x-scope': 't1' });
    expect(asHeaders('')).toEqual({});
  });

  it.each(['hush', 'a=1,hush hush', 'a:hush=', 'a=%hush'])(
    'that are none are refused without being repeated: %s',
    (text) => {
      expect(() => asHeaders(text)).toThrow(/^(?!.*hush).*(pair \d|percent)/);
    },
  );
});

it.each(['-0.1', '1.1', '2', '', '.5', '1e-3', 'half'])('%s is no share', (text) => {
  expect(() => asShare(text)).toThrow('is not a number from 0 to 1');
});

it('a share is a part of the whole', () => {
  expect(['0', '1', '0.25', '1.0'].map(asShare)).toEqual([0, 1, 0.25, 1]);
});

it('ranges are kept as they were written, and a name is none: it is no address that a proxy connects from', () => {
  expect(asRanges('10.0.0.0/8, ::1')).toEqual(['10.0.0.0/8', '::1']);
  expect(() => asRanges('10.0.0.0/8,proxy.example')).toThrow('"proxy.example" is not an address range');
});
