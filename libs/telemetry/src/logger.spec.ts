import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.js';

describe('a log line', () => {
  const lines: string[] = [];
  const logger = createLogger({ app: 'test', level: 'info' }, { write: (line) => void lines.push(line) });

  it('holds nothing that steers a terminal or changes the order of reading, and says the same', () => {
    const hostile = 'a\u001b[2J\u009b2J\u202egnp.exe\u2028\nb';
    logger.warn({ denied: { host: hostile }, err: new Error(hostile) }, hostile);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e]*\n$/);
    expect(JSON.parse(lines[0]!)).toMatchObject({ msg: hostile, denied: { host: hostile } });
  });
});
