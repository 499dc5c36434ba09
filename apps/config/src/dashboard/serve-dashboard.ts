import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from '@form-webhooks/http-edge';
import { notFound, PROBLEM_HEADERS } from '../http/problems.js';
import { readBuiltFiles, type BuiltFile } from './built-files.js';
import { DASHBOARD_PATH } from './dashboard-paths.js';

/** As built beside this app; the same from its sources and from its build. */
const BESIDE = join(import.meta.dirname, '../../../dashboard/dist');

/** Nothing inline, nothing of another origin, and no text that a script makes a script of. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const PAGE_HEADERS = {
  'content-security-policy': CONTENT_POLICY,
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
};

/** Serves the built dashboard to everyone: it holds no data. @returns false if none was built */
export function serveDashboard(fastify: FastifyInstance, folder: string = BESIDE): boolean {
  const files = readBuiltFiles(folder);
  const page = files.get('index.html');
  if (page === undefined) return false;
  fastify.get(DASHBOARD_PATH.slice(0, -1), (_request, reply) => reply.redirect(DASHBOARD_PATH, 308));
  fastify.get(`${DASHBOARD_PATH}*`, (request, reply) => {
    const path = (request.params as { '*': string })['*'];
    const file = files.get(path);
    if (file) return send(request, reply, file);
    // Every other address is one of the page's own, which it reads itself. A file that is not there is not there.
    if (!path.startsWith('assets/')) return send(request, reply, page);
    sendProblem(reply, request.id, notFound('file'), PROBLEM_HEADERS);
    return reply;
  });
  return true;
}

function send(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): FastifyReply {
  const [encoding, body] = chooseBody(file, request.headers['accept-encoding']);
  void reply.headers({
    ...PAGE_HEADERS,
    'content-type': file.mediaType,
    'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
    etag: file.etag,
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
  });
  if (request.headers['if-none-match'] === file.etag) return reply.status(304).send();
  return reply.send(body);
}

function chooseBody({ bodies }: BuiltFile, accepted = ''): readonly [encoding: string, body: Buffer] {
  const names = accepted.split(',').map((one) => one.trim());
  const found = [...bodies].find(([encoding]) =>
    names.some((name) => name === encoding || name.startsWith(`${encoding};`)),
  );
  return found && !names.includes(`${found[0]};q=0`) ? found : ['identity', bodies.get('identity')!];
}
