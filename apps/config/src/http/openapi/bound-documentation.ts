import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Holding, whenOver } from '@form-webhooks/http-edge';
import { busy } from '../problems.js';

/** A browser asks for some six files at once. */
const AT_A_TIME = 100;

interface Made {
  readonly mediaType: string;
  readonly body: Buffer;
}

/**
 * Bounds what the documentation costs, since nobody is asked who reads it: so many requests at a time, and every text is
 * made once and then handed out as the same bytes. Made anew, the YAML alone takes 25 to 150 ms of the event loop
 * [measured]. It is the same for everyone.
 * @param path where all of it begins: `/docs` also stands for `/docs-json`
 */
export function boundDocumentation(fastify: FastifyInstance, path: string): void {
  const reading = new Holding(AT_A_TIME);
  const made = new Map<string, Made>();
  const isPart = ({ routeOptions }: FastifyRequest): boolean => routeOptions.url?.startsWith(path) === true;

  fastify.addHook('onRequest', async (request, reply) => {
    if (!isPart(request)) return;
    const lease = reading.take();
    if (!lease) throw busy('Too many read the documentation now; try again in a moment.');
    whenOver(reply.raw, () => lease.end());
    const known = made.get(textOf(request));
    if (known) return reply.header('content-type', known.mediaType).send(known.body);
  });

  fastify.addHook('onSend', async (request, reply, payload) => {
    if (!isPart(request) || reply.statusCode !== 200 || typeof payload !== 'string') return payload;
    const body = Buffer.from(payload);
    made.set(textOf(request), { mediaType: String(reply.getHeader('content-type')), body });
    return body;
  });
}

/**
 * Which text it is: of each route there are two. Swagger UI's page looks for its files elsewhere where what was asked for
 * ends in a slash, and be it in a query; kept as the page of the route it would be broken for everyone.
 */
const textOf = ({ url, routeOptions }: FastifyRequest): string => `${url.endsWith('/') ? '/' : ''} ${routeOptions.url}`;
