import { STATUS_CODES } from 'node:http';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** One member of a request that is wrong: its path, a stable code for programs and a sentence for people. */
export interface FieldProblem {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** The body of every answer that tells of a problem. */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code?: string;
  readonly errors?: FieldProblem[];
  /** The endpoint that stands in the way. */
  readonly endpoint_id?: string;
  readonly request_id: string;
}

/** What a problem document says beside its status and its sentence. */
export interface ProblemDetails {
  /** Stable, for programs; where one status has several causes. */
  readonly code?: string;
  /** All that is wrong with the members of the request, at once. */
  readonly errors?: readonly FieldProblem[];
  /** The endpoint that stands in the way of the one that was asked for. */
  readonly endpointId?: string;
  /** After how long it is worth trying again, ms; callers are told whole seconds, at least one. */
  readonly retryAfterMs?: number;
  /** Headers that this status asks for. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that is not the one hoped for, as RFC 9457 wants it told. Its texts go to the caller: no internals. */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly status: number,
    /** A sentence for the caller: what is wrong and what to do. */
    readonly detail: string,
    readonly more: ProblemDetails = {},
  ) {
    super(detail);
  }

  /** The phrase of the status. RFC 9110 renamed 422; Node still has the old one. */
  get title(): string {
    return this.status === 422 ? 'Unprocessable Content' : (STATUS_CODES[this.status] ?? 'Error');
  }

  /** The response's headers beside the media type. */
  get headers(): Record<string, string> {
    const { retryAfterMs, headers } = this.more;
    if (retryAfterMs === undefined) return { ...headers };
    return { ...headers, 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) };
  }

  /** The body of the answer to the request with this id. */
  toDocument(requestId: string): ProblemDocument {
    const { code, errors, endpointId } = this.more;
    return {
      type: 'about:blank',
      title: this.title,
      status: this.status,
      detail: this.detail,
      ...(code === undefined ? {} : { code }),
      ...(errors === undefined ? {} : { errors: [...errors] }),
      ...(endpointId === undefined ? {} : { endpoint_id: endpointId }),
      request_id: requestId,
    };
  }
}

export const badRequest = (detail: string, code?: string): Problem => new Problem(400, detail, codeOf(code));

export const unauthorized = (detail: string): Problem =>
  new Problem(401, detail, { headers: { 'www-authenticate': 'Bearer' } });

export const forbidden = (detail: string): Problem => new Problem(403, detail);

/** @param allow the methods that are served, as the header `Allow` names them: `GET, HEAD` */
export const methodNotAllowed = (allow: string, detail: string): Problem =>
  new Problem(405, detail, { headers: { allow } });

export const conflict = (detail: string, code?: string): Problem => new Problem(409, detail, codeOf(code));

export const preconditionFailed = (detail: string): Problem => new Problem(412, detail);

export const unsupportedMediaType = (detail: string): Problem => new Problem(415, detail);

/** @param code of what there is too much: of requests in a time, or of work under way, and whose */
export const tooManyRequests = (retryAfterMs: number, detail: string, code: `too_many_${string}`): Problem =>
  new Problem(429, detail, { code, retryAfterMs });

export const unavailable = (retryAfterMs: number, detail: string, code?: string): Problem =>
  new Problem(503, detail, { ...codeOf(code), retryAfterMs });

const codeOf = (code: string | undefined): ProblemDetails => (code === undefined ? {} : { code });
