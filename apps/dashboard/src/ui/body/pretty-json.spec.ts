import { describe, expect, it } from 'vitest';
import { prettyJson } from './pretty-json.js';

describe('formatted JSON', () => {
  it('has one member a line', () => {
    expect(prettyJson('{"a":1,"b":[true,null],"c":{}}')).toBe(
      '{\n  "a": 1,\n  "b": [\n    true,\n    null\n  ],\n  "c": {}\n}',
    );
  });

  it('keeps every digit, every repeated key and every escape', () => {
    const pretty = prettyJson('{"n":12345678901234567890,"r":1.0,"n":"\\u00e9{[,:\\""}');
    expect(pretty).toBe('{\n  "n": 12345678901234567890,\n  "r": 1.0,\n  "n": "\\u00e9{[,:\\""\n}');
  });

  it('loses no character of what only looks like JSON', () => {
    for (const text of ['{"a":', ']]}', '"open', 'plain<script>', '[1,,2']) {
      expect(prettyJson(text).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    }
  });

  it('stays small however deep the text is, and is done at once with 100,000 keys', () => {
    const deep = prettyJson('['.repeat(100_000));
    expect(deep.length).toBeLessThan(100_000 * 90);
    const wide = `{${Array.from({ length: 100_000 }, (_, n) => `"k${n}":${n}`).join(',')}}`;
    expect(prettyJson(wide).split('\n')).toHaveLength(100_002);
  });
});
