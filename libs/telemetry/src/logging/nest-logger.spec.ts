import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.js';
import { NestLogger } from './nest-logger.js';

function stage() {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({ app: 'test', level: 'trace' }, { write: (line) => void lines.push(JSON.parse(line)) });
  return { lines, nest: new NestLogger(logger) };
}

describe('what Nest says', () => {
  it.each(['error', 'warn', 'fatal'] as const)('is an error with its stack where it is one, said by %s', (level) => {
    const { lines, nest } = stage();
    nest[level](new TypeError('no such member'), 'ExceptionsHandler');
    expect(lines[0]).toMatchObject({
      level,
      event_name: 'nest',
      msg: 'no such member',
      context: 'ExceptionsHandler',
      err: { type: 'TypeError', stack: expect.stringContaining('nest-logger.spec') },
    });
  });

  it('finds the error behind the text, and shows of an object what says what went wrong, and no other values', () => {
    const { lines, nest } = stage();
    nest.error('it failed', new Error('the cause'), 'Router');
    nest.error({ code: 'ECONNRESET', errno: -104, body: 'of a request', headers: { authorization: 'Bearer x' } });
    nest.error(Symbol('thrown'));
    expect(lines[0]).toMatchObject({ msg: 'it failed', err: { message: 'the cause' }, context: 'Router' });
    const outline = 'an object that is no error: { code: ECONNRESET, errno: -104, body, headers }';
    expect(lines[1]).toMatchObject({ msg: outline });
    expect(lines[2]).toMatchObject({ msg: 'Symbol(thrown)' });
  });
});
