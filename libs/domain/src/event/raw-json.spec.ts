import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRawString, InvalidJson, JSON_MAX_DEPTH, JSON_MAX_MEMBERS, readRawMembers } from './raw-json.js';

const read = (text: string) => readRawMembers(Buffer.from(text));
const texts = (text: string) => Object.fromEntries(read(text).map((m) => [m.name, m.value.bytes.toString()]));

function codeOf(bytes: Buffer | string): string | undefined {
  try {
    readRawMembers(Buffer.from(bytes as string));
    return undefined;
  } catch (error) {
    if (error instanceof InvalidJson) return error.code;
    throw error;
  }
}

const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 });
const number = fc.constantFrom('0', '-0', '12345678901234567890', '1.0', '1e2', '1E+400', '-0.5e-3', '42');

/** The text of a JSON string in which every character may or may not be written as an escape. */
const stringText = fc
  .array(fc.tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), fc.boolean()))
  .map((units) => {
    const inner = units.map(([unit, escape]) => (escape ? escaped(unit) : JSON.stringify(unit).slice(1, -1)));
    return `"${inner.join('')}"`;
  });

/** Half a pair can't be sent as UTF-8. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

function escaped(text: string): string {
  let result = '';
  for (let i = 0; i < text.length; i++) result += `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return result;
}

/** Random documents with random white space; `node` is the text of any value. */
const { node } = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(number, stringText, fc.constantFrom('true', 'false', 'null')),
    fc
      .array(fc.tuple(space, tie('node'), space), { maxLength: 4 })
      .map((items) => `[${items.map((i) => i.join('')).join(',')}]`),
    fc
      .tuple(space, fc.array(fc.tuple(stringText, space, space, tie('node'), space), { maxLength: 4 }))
      .map(([before, members]) => `{${before}${members.map(([n, a, b, v, c]) => `${n}${a}:${b}${v}${c}`).join(',')}}`),
  ),
}));

describe('readRawMembers', () => {
  it('gives back exactly the texts that were put in, whatever the white space and the escapes', () => {
    const member = fc.record({
      name: stringText,
      value: node,
      spaces: fc.array(space, { minLength: 4, maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(member, { maxLength: 6 }), space, space, (members, before, after) => {
        const inner = members.map(({ name, value, spaces: [a, b, c, d] }) => `${a}${name}${b}:${c}${value}${d}`);
        const found = read(`${before}{${inner.join(',')}}${after}`);
        expect(found.map((m) => m.name)).toEqual(members.map((m) => JSON.parse(m.name) as string));
        expect(found.map((m) => m.value.bytes.toString())).toEqual(members.map((m) => m.value));
      }),
      { numRuns: 500 },
    );
  });

  it('agrees with JSON.parse on what is JSON, for valid documents and for those with one fault put in', () => {
    const junk = fc.constantFrom(
      '',
      ' ',
      '"',
      '\\',
      ',',
      ':',
      '{',
      '}',
      '[',
      ']',
      '0',
      '-',
      '.',
      'e',
      'u',
      'n',
      '\0',
      '\u00a0',
      '\ufeff',
      'é',
    );
    fc.assert(
      fc.property(node, fc.nat(), fc.nat(2), junk, (text, seed, cut, put) => {
        const at = seed % (text.length + 1);
        const mutant = wellFormed(text.slice(0, at) + put + text.slice(at + cut));
        for (const candidate of [wellFormed(text), mutant]) expectAgreement(candidate);
      }),
      { numRuns: 3_000 },
    );
  });

  function expectAgreement(text: string): void {
    let value: unknown;
    let valid = true;
    try {
      value = JSON.parse(text);
    } catch {
      valid = false;
    }
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const expected = !valid ? 'bad_json' : isObject ? undefined : 'not_an_object';
    const bomFirst = text.startsWith('\ufeff');
    expect({ text, code: codeOf(text) }).toEqual({ text, code: bomFirst ? 'bad_encoding' : expected });
  }

  it.each([
    '12345678901234567890',
    '1.0',
    '1e2',
    '-0',
    '1e400',
    '"\\u0000"',
    '"\\ud800"',
    '"😀é"',
    '{"a":1,"a":2}',
    '{"10":1,"2":2}',
    '{"__proto__":{"x":1},"constructor":0,"prototype":[]}',
    '[ 1 ,\t2 ]',
    '"\u2028\u007f"',
  ])('keeps %s byte for byte', (text) => {
    expect(texts(`{ "fields" : ${text} , "z":0}`)).toEqual({ fields: text, z: '0' });
  });

  it('reads a name that is written with escapes as the name it means', () => {
    expect(texts('{"\\u0066ields":{}, "\\u005f_proto__":1}')).toEqual(
      Object.fromEntries([
        ['fields', '{}'],
        ['__proto__', '1'],
      ]),
    );
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('tells the kind of each value', () => {
    const kinds = read('{"a":{},"b":[],"c":"","d":0,"e":true,"f":false,"g":null}').map((m) => m.value.kind);
    expect(kinds).toEqual(['object', 'array', 'string', 'number', 'boolean', 'boolean', 'null']);
  });

  it.each([
    '',
    ' ',
    '{',
    '{not json',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,}',
    '{a:1}',
    "{'a':1}",
    '{"a":01}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":+1}',
    '{"a":-}',
    '{"a":1e}',
    '{"a":tru}',
    '{"a":NaN}',
    '{"a":"\n"}',
    '{"a":"\\x"}',
    '{"a":"\\u12g4"}',
    '{"a":"\\u12',
    '{"a":1}x',
    '{"a":1}{}',
    '{"a":[1,]}',
    '{"a":[1 2]}',
    '{"a" 1}',
    '/**/{}',
    '{\u00a0}',
  ])('refuses %j as no JSON', (text) => {
    expect(codeOf(text)).toBe('bad_json');
  });

  it.each(['123', '[]', 'null', '"x"', 'true', ' -0.0 '])('tells %j apart: JSON, but no object', (text) => {
    expect(codeOf(text)).toBe('not_an_object');
  });

  it.each([
    ['bytes that are no UTF-8', Buffer.from([0xff, 0x00, 0x7b])],
    [
      'an encoded surrogate',
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    ],
    ['an overlong form', Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc0, 0x80]), Buffer.from('"}')])],
    ['a cut character', Buffer.from('{"a":"é"}').subarray(0, 7)],
    ['a byte order mark', Buffer.from('\ufeff{}')],
    ['UTF-16 with its mark', Buffer.from('\ufeff{}', 'utf16le')],
  ])('refuses %s', (_what, bytes) => {
    expect(codeOf(bytes)).toBe('bad_encoding');
  });

  it('refuses UTF-16 without a mark', () => {
    expect(codeOf(Buffer.from('{}', 'utf16le'))).toBe('bad_json');
  });

  it('accepts the deepest nesting allowed and refuses one level more', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    expect(codeOf(nested(JSON_MAX_DEPTH))).toBeUndefined();
    expect(codeOf(nested(JSON_MAX_DEPTH + 1))).toBe('too_deep');
    expect(codeOf('['.repeat(1_000_000))).toBe('too_deep');
    expect(codeOf('{"a":'.repeat(100_000))).toBe('too_deep');
  });

  it('counts the members of all objects, side by side or nested', () => {
    const many = (count: number) => `{"a":[${Array.from({ length: count - 1 }, () => '{"b":0}').join(',')}]}`;
    expect(codeOf(many(JSON_MAX_MEMBERS))).toBeUndefined();
    expect(codeOf(many(JSON_MAX_MEMBERS + 1))).toBe('too_many_members');
  });

  it('never quotes the content in its complaint', () => {
    expect(() => read('{"a": secret}')).toThrow(/^the text is not JSON: unexpected character at byte 6$/);
    expect(() => read('{"secret')).toThrow(/^the text is not JSON: it ends too early$/);
  });

  it('walks over a MiB of hostile or plain text in linear time', () => {
    const mib = 1 << 20;
    const shapes = [
      `{"a":"${'x'.repeat(mib)}"}`,
      `{"a":"${'\\u0000'.repeat(mib / 6)}"}`,
      `{"a":[${'1,'.repeat(mib / 2)}1]}`,
      `{${' '.repeat(mib)}}`,
      `{"a":${'9'.repeat(mib)}}`,
      `{"a":"${'é'.repeat(mib / 2)}"}`,
    ].map((text) => Buffer.from(text));
    const startedAt = performance.now();
    for (const bytes of shapes) readRawMembers(bytes);
    // The square of a million steps would take a quarter of an hour.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

describe('decodeRawString', () => {
  it('decodes escapes, pairs and lone surrogates', () => {
    expect(decodeRawString(Buffer.from('"\\ud83d\\ude00\\ud800\\n"'))).toBe('😀\ud800\n');
  });
});
