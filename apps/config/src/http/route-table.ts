import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { methodNotAllowed, type Problem } from '@form-webhooks/http-edge';
import { notFound } from './problems.js';

/** Every path that is served, so that a wrong verb gets 405 with `Allow` and not 404. */
@Injectable()
export class RouteTable {
  private readonly methods = new Map<string, Set<string>>();
  private readonly patterns = new Map<string, RegExp>();

  /** Call it before the routes are registered. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method }) => {
      // The catch-all that answers CORS preflights serves no path of ours.
      if (url === '*') return;
      const known = this.methods.get(url) ?? new Set();
      for (const one of [method].flat()) known.add(one);
      this.methods.set(url, known);
      this.patterns.set(url, patternOf(url));
    });
  }

  problemFor(method: string, url: string): Problem {
    const path = url.split('?')[0]!;
    const allowed = [...this.patterns]
      .filter(([, pattern]) => pattern.test(path))
      .flatMap(([route]) => [...this.methods.get(route)!]);
    if (allowed.length === 0 || allowed.includes(method)) return notFound('path');
    const allow = [...new Set(allowed)].sort().join(', ');
    return methodNotAllowed(allow, `This path serves ${allow}.`);
  }
}

/** `/v1/forms/:form_id/*` as an expression; other characters of our paths mean themselves. */
const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:[a-z_]+/g, '[^/]+')
      .replace(/\*/g, '.*')}$`,
  );
