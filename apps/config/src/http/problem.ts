import { STATUS_CODES } from 'node:http';
import type { FieldProblemDto } from '@form-webhooks/http-api';

export interface ProblemDetails {
  readonly code?: string;
  readonly errors?: readonly FieldProblemDto[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Ends a request with a problem document. Its texts go to the caller: no internals in them. */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly status: number,
    readonly detail: string,
    readonly more: ProblemDetails = {},
  ) {
    super(detail);
  }

  get title(): string {
    return this.status === 422 ? 'Unprocessable Content' : (STATUS_CODES[this.status] ?? 'Error');
  }
}

export const badRequest = (detail: string): Problem => new Problem(400, detail);

export const unauthorized = (detail: string): Problem =>
  new Problem(401, detail, { headers: { 'www-authenticate': 'Bearer' } });

export const forbidden = (detail: string): Problem => new Problem(403, detail);

/** Unknown, deleted, or another workspace's: nobody can tell which. */
export const notFound = (what: string): Problem => new Problem(404, `There is no such ${what}.`);

export const conflict = (detail: string, code?: string): Problem =>
  new Problem(409, detail, code === undefined ? {} : { code });

export const preconditionFailed = (detail: string): Problem => new Problem(412, detail);

/** All that is wrong with what the caller sent, at once. */
export const invalid = (...errors: readonly FieldProblemDto[]): Problem =>
  new Problem(422, errors.length === 1 ? errors[0]!.message : `${errors.length} members are not valid.`, {
    errors,
    ...(errors.length === 1 ? { code: errors[0]!.code } : {}),
  });

export const tooManyRequests = (retryAfterSeconds: number, detail: string): Problem =>
  new Problem(429, detail, { headers: { 'retry-after': String(retryAfterSeconds) } });

export const unavailable = (retryAfterSeconds: number, detail: string): Problem =>
  new Problem(503, detail, { headers: { 'retry-after': String(retryAfterSeconds) } });
