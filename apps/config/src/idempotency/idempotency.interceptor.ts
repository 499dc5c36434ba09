import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { concatMap, of, type Observable } from 'rxjs';
import type { AccessRequest } from '../access/access-request.js';
import type { CallerIdentity } from '../access/caller-identity.js';
import {
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_METADATA,
  readIdempotencyKey,
  REPLAYED_HEADER,
} from './idempotency-key.js';
import { IdempotentWrites, PendingWrite, type KeptAnswer } from './idempotent-writes.js';
import { ShownAgain } from './shown-again.js';

/** The headers that belong to an answer's content. */
const KEPT_HEADERS = ['etag', 'location'] as const;

/** Answers a repeated write by what it was answered with. It runs after the access guard: a replay needs the same rights. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly writes: IdempotentWrites,
    private readonly shownAgain: ShownAgain,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const takesKey = this.reflector.get<boolean | undefined>(IDEMPOTENCY_METADATA, context.getHandler()) === true;
    const request = context.switchToHttp().getRequest<AccessRequest>();
    const key = takesKey ? readIdempotencyKey(request.headers[IDEMPOTENCY_KEY_HEADER]) : undefined;
    if (key === undefined) return next.handle();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const caller = request.caller!;
    const write = await this.writes.begin({ caller: nameOf(caller), key }, asked(request));
    if (!(write instanceof PendingWrite)) {
      await this.shownAgain.note(request, write.body);
      return of(giveAgain(reply, write));
    }
    caller.claim = write;
    return next.handle().pipe(
      concatMap(async (body: unknown) => {
        await this.writes.keep(write, { status: reply.statusCode, headers: keptHeaders(reply), body });
        return body;
      }),
    );
  }
}

/** A user's name is unique in a workspace only. */
const nameOf = ({ workspaceId, actor }: CallerIdentity): string => `${workspaceId ?? ''}:${actor}`;

const asked = ({ method, url, headers, body }: AccessRequest): string[] => [
  method,
  url,
  headers['if-match'] ?? '',
  JSON.stringify(body) ?? '',
];

const keptHeaders = (reply: FastifyReply): Record<string, string> =>
  Object.fromEntries(
    KEPT_HEADERS.map((name) => [name, reply.getHeader(name)]).filter(([, value]) => typeof value === 'string'),
  ) as Record<string, string>;

function giveAgain(reply: FastifyReply, { status, headers, body }: KeptAnswer): unknown {
  void reply.status(status).headers({ ...headers, [REPLAYED_HEADER]: 'true' });
  return body;
}
