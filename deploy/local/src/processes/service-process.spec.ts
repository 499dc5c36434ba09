import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { startOf } from '../../prepare/process-identity.mjs';
import { chooseFreePort } from '../provide/free-port.js';
import { startService, type ServiceOptions } from './service-process.js';

const folder = mkdtempSync(join(tmpdir(), 'form-webhooks-service-'));
afterAll(() => rmSync(folder, { recursive: true }));

const READY = `import { createServer } from 'node:http';
const server = createServer((request, response) => response.end()).listen(process.env.HEALTH_PORT, '127.0.0.1');
console.log(JSON.stringify({ level: 'info', time: 0, msg: 'hello' }));`;

/** A stand-in for a service, with the lines as its code. */
async function options(name: string, code: string): Promise<ServiceOptions> {
  const entry = join(folder, `${name}.mjs`);
  writeFileSync(entry, code);
  return {
    name,
    entry,
    flags: [],
    env: { ...process.env, HEALTH_PORT: String(await chooseFreePort()) },
    readyMs: 10_000,
    stopMs: 20_000,
  };
}

describe('a service', () => {
  it('is there once it is ready, passes its lines on, and stops in order', async () => {
    const printed: string[] = [];
    const orderly = `${READY}\nprocess.on('SIGTERM', () => process.exit(0));`;
    const service = await startService({ ...(await options('good', orderly)), print: (line) => printed.push(line) });
    expect(service.isRunning).toBe(true);
    await vi.waitFor(() => expect(printed.join('\n')).toMatch(/^\[good\] .* INFO {2}hello$/));
    expect(existsSync(join(folder, 'good.process.json'))).toBe(true);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(existsSync(join(folder, 'good.process.json'))).toBe(false);
  });

  it('that does not stop is killed', async () => {
    const stubborn = await options('stubborn', `${READY}\nprocess.on('SIGTERM', () => {});`);
    const service = await startService({ ...stubborn, stopMs: 500 });
    expect(await service.stop()).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('that ends at once is reported with its last words', async () => {
    const broken = await options('broken', "console.error('DATABASE_URL is missing'); process.exit(3);");
    await expect(startService(broken)).rejects.toThrow(
      /The service broken ended with exit code 3\.\n {2}\| DATABASE_URL is missing/,
    );
  });

  it('that never gets ready is ended, and what it says is told', async () => {
    const code = READY.replace('response.end()', "response.writeHead(503).end('broker')");
    const { readyMs: _, ...rest } = await options('unready', code);
    const started: number[] = [];
    const attempt = startService({ ...rest, readyMs: 4_000, onProcess: ({ pid }) => started.push(pid) });
    await expect(attempt).rejects.toThrow(/not ready within 4 s: GET .* says 503 broker/);
    expect(startOf(started[0]!)).toBeUndefined();
  });

  it('that a killed start left running is ended by the next', async () => {
    const { entry, env, ...rest } = await options('left', READY);
    const left = spawn(process.execPath, [entry], { env, stdio: 'ignore' });
    const record = { pid: left.pid, started: startOf(left.pid!) };
    writeFileSync(join(folder, 'left.process.json'), JSON.stringify(record));
    const gone = once(left, 'exit');
    const service = await startService({ entry, env, ...rest });
    await gone;
    expect(service.pid).not.toBe(left.pid);
    await service.stop();
  });
});
