import { describe, expect, it } from 'vitest';
import { renderLogLine } from './log-lines.js';

const TIME = '2026-11-27T22:15:01.042Z';
const clock = new Date(TIME).toTimeString().slice(0, 8);

describe('renderLogLine', () => {
  it('shows the time of day, the level, the message and the rest as facts', () => {
    const line = JSON.stringify({ level: 'info', time: TIME, app: 'ingest', msg: 'ready', port: 80, url: 'http://x' });
    expect(renderLogLine(line)).toBe(`${clock}.042 INFO  ready port=80 url=http://x`);
  });

  it('leaves out what is the same on each line, and the name of what the message says in words', () => {
    const same = { app: 'ingest', replica: 'h:1', version: '0.1.0' };
    const line = JSON.stringify({
      level: 'info',
      time: TIME,
      ...same,
      event_name: 'broker_connected',
      msg: 'connected',
    });
    expect(renderLogLine(line)).toBe(`${clock}.042 INFO  connected`);
  });

  it('shows each line’s own time, whatever the one before it had', () => {
    const shown = (time: string): string => renderLogLine(JSON.stringify({ level: 'info', time, msg: 'm' }));
    const later = '2026-11-27T22:15:02.001Z';
    expect([TIME, TIME.replace('042', '999'), later, TIME].map(shown)).toEqual([
      `${clock}.042 INFO  m`,
      `${clock}.999 INFO  m`,
      `${new Date(later).toTimeString().slice(0, 8)}.001 INFO  m`,
      `${clock}.042 INFO  m`,
    ]);
    expect(['2026-99-27T22:15:02.001Z', '2026-99-27T22:15:02.002Z', 'later'].map(shown)).toEqual(
      Array(3).fill('INFO  m'),
    );
  });

  it('knows the numbers of levels and times in milliseconds', () => {
    const line = JSON.stringify({ level: 50, time: Date.parse(TIME), pid: 1, hostname: 'h', msg: 'no' });
    expect(renderLogLine(line)).toBe(`${clock}.042 ERROR no`);
  });

  it('quotes what would be misread, and shows of an error only what it says', () => {
    const err = { type: 'Error', message: 'broker is gone', stack: 'Error: broker is gone\n    at …' };
    const line = JSON.stringify({ level: 'warn', time: TIME, msg: 'm', a: 'two words', b: '', n: null, err });
    expect(renderLogLine(line)).toBe(`${clock}.042 WARN  m a="two words" b="" n=null err="broker is gone"`);
  });

  it('shortens what is too long to read', () => {
    const line = JSON.stringify({ level: 'info', time: TIME, msg: 'm', long: 'x'.repeat(10_000) });
    expect(renderLogLine(line).length).toBeLessThan(300);
  });

  it.each(['', 'Error: boom', '{"not":"a log line"}', '{broken', '[1]', 'null'])('leaves %j as it is', (line) => {
    expect(renderLogLine(line)).toBe(line);
  });
});
