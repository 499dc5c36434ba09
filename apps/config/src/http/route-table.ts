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
    const route = this.routeOf(url);
    if (route === undefined || this.methods.get(route)!.has(method)) return notFound('path');
    const allow = [...this.methods.get(route)!].sort().join(', ');
    return methodNotAllowed(allow, `This path serves ${allow}.`);
  }

  /**
   * Fastify takes a path such as `…/replays/preview` for the id of a replay, if it does not serve the verb there itself.
   * @returns the problem of a request that it has led astray
   */
  strayed(method: string, url: string, route: string): Problem | undefined {
    // Every other route is its own most literal one.
    if (!route.includes(':') || this.routeOf(url) === route) return undefined;
    return this.problemFor(method, url);
  }

  /** Of the routes that a path fits, the one with the fewest ids: the others would take a word for an id. */
  private routeOf(url: string): string | undefined {
    const path = url.split('?')[0]!;
    const fitting = [...this.patterns].filter(([, pattern]) => pattern.test(path)).map(([route]) => route);
    return fitting.sort((a, b) => a.split(':').length - b.split(':').length)[0];
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
