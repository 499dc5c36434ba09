import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger, type Logger } from './logger.js';
import { PlainLines } from './plain-lines.js';

const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'] as const;
const ABOUT = { app: 'spec', replica: 'a:1', version: '1.2.3' };
const ATTEMPT = {
  ...{
    delivery_id: 'dlv_1',
    endpoint_id: 'we_1',
    trace_id: undefined,
    try: 0,
    lateMs: 1.25,
    status: null,
    resent: false,
  },
};

const plainChar = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
const text = fc.oneof(fc.string({ unit: plainChar }), fc.string({ unit: 'binary' }), fc.string({ minLength: 120 }));
const name = fc.oneof(fc.constantFrom('delivery_id', 'try', 'err', 'headers', 'event_name', 'msg', 'level', '7'), text);
const plainFact = fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constantFrom(null, undefined));
const fact = fc.oneof(
  { weight: 8, arbitrary: plainFact },
  fc.object(),
  fc.bigInt(),
  fc.constant(new Error('a "fault"')),
);
const facts = fc.oneof(fc.dictionary(name, plainFact), fc.dictionary(name, fact));

describe('a line without anything that needs care', () => {
  const lines: [string, boolean | undefined][] = [];
  const logger = createLogger(
    { app: 'spec', level: 'debug' },
    { write: (line, urgent) => void lines.push([line, urgent]) },
  );
  // pino writes the lines of whatever is not the service's own logger.
  const byPino = logger.child({});
  const written = (by: Logger, level: (typeof LEVELS)[number], args: unknown[]): unknown => {
    lines.length = 0;
    Reflect.apply(by[level], by, args);
    return lines[0];
  };

  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 1_750_000_000_123 }));
  afterEach(() => void vi.useRealTimers());

  it('is the one that pino writes, byte for byte, whatever it says', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LEVELS), fc.option(facts, { nil: undefined }), text, (level, said, message) => {
        const args = said === undefined ? [message] : [said, message];
        expect(written(logger, level, args)).toEqual(written(byPino, level, args));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is the one that pino writes for what has no text, or is no plain object', () => {
    const others = [[{ a: 1 }], [{ a: 1 }, undefined], [['a', 'b'], 'text'], [new Error('e'), 'text'], [null, 'text']];
    for (const args of [...others, [undefined, 'text'], ['text', 'more'], [new Map(), 'text'], [7], []])
      expect(written(logger, 'info', args)).toEqual(written(byPino, 'info', args));
  });

  it('is written without pino', () => {
    const plainLines = new PlainLines(ABOUT);
    expect(plainLines.lineOf(30, [ATTEMPT, 'delivery.attempted'])).toBe(
      '{"level":"info","time":"2025-06-15T15:06:40.123Z","app":"spec","replica":"a:1","version":"1.2.3"' +
        ',"delivery_id":"dlv_1","endpoint_id":"we_1","try":0,"lateMs":1.25,"status":null,"resent":false' +
        ',"event_name":"delivery.attempted","msg":"delivery.attempted"}\n',
    );
    expect(plainLines.lineOf(30, ['starting'])).toContain('"event_name":"starting","msg":"starting"');
  });

  it.each([
    ['a quote', { delivery_id: 'a"b' }],
    ['a backslash', { delivery_id: 'a\\b' }],
    ['a letter beyond ASCII', { delivery_id: 'ż' }],
    ['an object', { request: { method: 'GET' } }],
    ['contents', { body: 'a payload' }],
    ['an error', { err: 'a text' }],
    ['a name of its own', { event_name: 'own' }],
  ])('is none with %s', (_what, said) => {
    expect(new PlainLines(ABOUT).lineOf(30, [{ ...ATTEMPT, ...said }, 'text'])).toBeUndefined();
  });
});
