import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { curlLine } from './curl-line.js';

/** What the shell makes of a command line: the arguments that curl would get. */
function argumentsOf(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${line}`;
  return execFileSync('sh', ['-c', script]).toString('utf8').split('\0').slice(0, -1);
}

describe('the command line that repeats an attempt', () => {
  it('names the URL, every header and the body', () => {
    const line = curlLine('https://hooks.example.com/a?b=c&d', { 'webhook-id': 'dlv_1' }, '{"a":1.0}');
    expect(argumentsOf(line!)).toEqual([
      ...['--globoff', '--request', 'POST', 'https://hooks.example.com/a?b=c&d'],
      ...['--header', 'webhook-id: dlv_1', '--data-binary', '{"a":1.0}'],
    ]);
  });

  it('gives curl the very bytes, whatever a submission contains, and runs nothing', () => {
    const nasty = fc.constantFrom(`'`, '"', '$(id)', '`id`', '\\', '\n', '!', '; id', "'\\''", '😀', '\u0001');
    fc.assert(
      fc.property(fc.array(fc.oneof(nasty, fc.string()), { maxLength: 8 }), (parts) => {
        const body = `{"a":${JSON.stringify(parts.join('').replaceAll('\0', ''))}${parts.includes('\n') ? '\n' : ''}}`;
        expect(argumentsOf(curlLine('https://a.example/', { 'x-a': `it's` }, body)!).slice(4)).toEqual([
          ...['--header', `x-a: it's`, '--data-binary', body],
        ]);
      }),
      { numRuns: 30 },
    );
  });

  it('leaves out what curl writes itself, and gives up on a body too long for a command line', () => {
    const headers = { Host: 'a.example', 'content-length': '3', Connection: 'keep-alive' };
    expect(curlLine('https://a.example/', headers, '{}')).not.toMatch(/header/);
    expect(curlLine('https://a.example/', {}, 'x'.repeat(200_000))).toBeNull();
  });
});
