import fastify from 'fastify';
import { expect, it, vi } from 'vitest';
import { warnOfProxies } from './warn-of-proxies.js';

async function callWith(trusted: readonly string[], header: string, calls = 1) {
  const log = { info: vi.fn(), warn: vi.fn() };
  const server = fastify();
  warnOfProxies(server, trusted, log);
  server.get('/', () => 'x');
  for (let i = 0; i < calls; i++) await server.inject({ url: '/', headers: { [header]: 'for=192.0.2.7' } });
  return log;
}

it.each(['x-forwarded-for', 'forwarded'])('says once that a proxy nobody named sends %s', async (header) => {
  const { warn } = await callWith([], header, 3);
  expect(warn).toHaveBeenCalledTimes(1);
  expect(warn).toHaveBeenCalledWith({ header, proxy: '127.0.0.1' }, expect.stringContaining('TRUSTED_PROXIES'));
});

it('says nothing of requests that come directly, nor when a proxy is named', async () => {
  expect((await callWith([], 'x-other')).warn).not.toHaveBeenCalled();
  expect((await callWith(['10.0.0.0/8'], 'x-forwarded-for')).warn).not.toHaveBeenCalled();
});

it.each([[[]], [['10.0.0.0/8']]])('says at the start what is trusted: %j', async (trusted) => {
  const { info } = await callWith(trusted, 'x-other');
  expect(info).toHaveBeenCalledWith({ trusted_proxies: trusted }, expect.any(String));
});
