import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { setSecurityHeaders } from './security-headers.js';

const POLICY = { useDefaults: false, directives: { defaultSrc: ["'none'"] } };

describe('the security headers', () => {
  it('are those of helmet, on an answer and on a refusal, and a route may say its own', async () => {
    const server = fastify();
    setSecurityHeaders(server, { contentSecurityPolicy: POLICY });
    server.get('/', () => 'an answer');
    server.get('/page', (_request, reply) =>
      reply.header('content-security-policy', "default-src 'self'").send('a page'),
    );
    const ofAnswer = (await server.inject('/')).headers;
    const ofRefusal = (await server.inject('/nowhere')).headers;
    for (const headers of [ofAnswer, ofRefusal]) {
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none'",
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'origin-agent-cluster': '?1',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': expect.stringMatching(/^max-age=\d+; includeSubDomains$/),
        'x-content-type-options': 'nosniff',
        'x-dns-prefetch-control': 'off',
        'x-download-options': 'noopen',
        'x-frame-options': 'SAMEORIGIN',
        'x-permitted-cross-domain-policies': 'none',
        'x-xss-protection': '0',
      });
    }
    expect((await server.inject('/page')).headers['content-security-policy']).toBe("default-src 'self'");
  });

  it('can not be what helmet refuses', () => {
    const directives = { defaultSrc: ["'none'; script-src *"] };
    expect(() => setSecurityHeaders(fastify(), { contentSecurityPolicy: { directives } })).toThrow(/directive/);
  });
});
