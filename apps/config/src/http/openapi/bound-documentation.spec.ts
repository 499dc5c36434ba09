import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sendProblem, type Problem } from '@form-webhooks/http-edge';
import { boundDocumentation } from './bound-documentation.js';

describe('the documentation', () => {
  let server: FastifyInstance;
  let url: string;
  const make = vi.fn();

  beforeEach(async () => {
    make.mockReset().mockReturnValue('openapi: 3.0.0\n');
    server = fastify({ forceCloseConnections: true });
    server.setErrorHandler((error, request, reply) => sendProblem(reply, request.id, error as Problem));
    boundDocumentation(server, '/docs');
    server.get('/docs-yaml', (_request, reply) => reply.type('text/yaml').send(make()));
    server.get('/docs', ({ url: asked }, reply) =>
      reply.type('text/html').send(asked.endsWith('/') ? './' : './docs/'),
    );
    server.get('/docs/slow', () => new Promise(() => undefined));
    server.get('/other', (_request, reply) => reply.type('text/plain').send(make()));
    url = await server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(() => server.close());

  it('is made once, and is the same for everyone', async () => {
    const answers = [];
    for (const method of ['GET', 'GET', 'HEAD', 'GET']) {
      const response = await fetch(`${url}/docs-yaml`, { method });
      answers.push([response.headers.get('content-type'), await response.text()]);
    }
    const text = ['text/yaml', 'openapi: 3.0.0\n'];
    expect(answers).toEqual([text, text, [text[0], ''], text]);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('keeps the page of one address from another, whose files lie elsewhere', async () => {
    const pages = [];
    for (const address of ['/docs?/', '/docs', '/docs?a', '/docs?/']) {
      pages.push(await (await fetch(`${url}${address}`)).text());
    }
    expect(pages).toEqual(['./', './docs/', './docs/', './']);
  });

  it('is read by so many at a time, and keeps nothing else waiting', async () => {
    const gone = new AbortController();
    const asked = Array.from({ length: 100 }, () => fetch(`${url}/docs/slow`, { signal: gone.signal }));
    const reading = Promise.allSettled(asked);
    await vi.waitFor(async () => {
      const refused = await fetch(`${url}/docs-yaml`);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    });
    expect((await fetch(`${url}/other`)).status).toBe(200);
    expect((await fetch(`${url}/other`)).status).toBe(200);
    expect(make).toHaveBeenCalledTimes(2);
    gone.abort();
    await reading;
    await vi.waitFor(async () => expect((await fetch(`${url}/docs-yaml`)).status).toBe(200));
  });
});
