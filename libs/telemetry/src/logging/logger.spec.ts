import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.js';
import { REPLICA, VERSION } from '../replica.js';

describe('a log line', () => {
  const lines: string[] = [];
  const logger = createLogger({ app: 'test', level: 'info' }, { write: (line) => void lines.push(line) });

  it('says who wrote it and what happened, whether it has facts, none, or an error alone', () => {
    lines.length = 0;
    logger.info({ queue: 'q' }, 'broker connected');
    logger.info('No dashboard is served: none was built');
    logger.error(new Error('the cause'), 'delivery.unsettled');
    logger.info({ event_name: 'its own' }, 'text');
    const by = { app: 'test', replica: REPLICA, version: VERSION };
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { ...by, event_name: 'broker_connected', queue: 'q' },
      { ...by, event_name: 'no_dashboard_is_served_none_was_built' },
      { ...by, event_name: 'delivery.unsettled', err: { message: 'the cause' } },
      { ...by, event_name: 'its own' },
    ]);
    lines.length = 0;
  });

  it('goes out at once from warnings on', () => {
    const urgent: boolean[] = [];
    const logger = createLogger({ app: 'test', level: 'debug' }, { write: (_line, now) => urgent.push(now!) });
    for (const level of ['debug', 'info', 'warn', 'error', 'fatal'] as const) logger[level]('text');
    expect(urgent).toEqual([false, false, true, true, true]);
  });

  it('holds no headers, body, secret or options, of its own or of an object that was logged whole', () => {
    lines.length = 0;
    const request = { method: 'POST', headers: { authorization: 'a secret' }, body: 'a payload' };
    logger.warn(
      { request, secret: 'whsec_1', tries: [{ try: 0 }], err: Object.assign(new Error('e'), request) },
      'text',
    );
    logger.warn({ delivery_id: 'dlv_1', request: { method: 'GET' } }, 'nothing of it');
    const [first, second] = lines.map((line) => JSON.parse(line) as object);
    expect(first).toMatchObject({
      request: { method: 'POST', headers: '[removed]', body: '[removed]' },
      secret: '[removed]',
      tries: [{ try: 0 }],
      err: { message: 'e' },
    });
    expect(lines.join('')).not.toMatch(/a secret|a payload|whsec_1/);
    expect(second).toMatchObject({ delivery_id: 'dlv_1', request: { method: 'GET' } });
    expect(request.body).toBe('a payload');
    lines.length = 0;
  });

  it('holds nothing that steers a terminal or changes the order of reading, and says the same', () => {
    const hostile = 'a\u001b[2J\u009b2J\u202egnp.exe\u2028\nb';
    logger.warn({ denied: { host: hostile }, err: new Error(hostile) }, hostile);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e]*\n$/);
    expect(JSON.parse(lines[0]!)).toMatchObject({ msg: hostile, denied: { host: hostile } });
  });
});
