import type { FastifyRequest } from 'fastify';
import type { Form } from '@form-webhooks/storage';
import type { CallerIdentity } from './caller-identity.js';

/** A request on its way through the access guard, and what the guard found out about it. */
export type AccessRequest = FastifyRequest<{
  Params: Record<string, string>;
  Querystring: Record<string, string | string[]>;
}> & {
  caller?: CallerIdentity;
  form?: Form;
  workspaceId?: string;
};
