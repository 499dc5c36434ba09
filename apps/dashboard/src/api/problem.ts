/** One member of a request that the service does not take. */
export interface FieldProblem {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** A problem document, of which any member may be missing if a proxy answered. */
export interface ProblemBody {
  readonly detail?: string;
  readonly code?: string;
  readonly errors?: readonly FieldProblem[];
  readonly endpoint_id?: string;
  readonly request_id?: string;
}

/** The service said no. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly code: string | undefined;
  readonly errors: readonly FieldProblem[];
  readonly requestId: string | undefined;
  /** The endpoint that stands in the way of the one that was asked for. */
  readonly endpointId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly status: number,
    { detail, code, errors, endpoint_id: endpointId, request_id: requestId }: ProblemBody,
    retryAfter: string | null,
  ) {
    super(detail ?? `HTTP ${status}`);
    this.code = code;
    this.errors = errors ?? [];
    this.requestId = requestId;
    this.endpointId = endpointId;
    this.retryAfterSeconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
  }
}

/** No answer came: no network, or the service is being restarted. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';

  constructor(cause: unknown) {
    super('The service can not be reached.', { cause });
  }
}

/** Whether it is worth asking again by itself: nothing was answered, or only that it can't be now. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof ApiProblem && [429, 502, 503, 504].includes(error.status));

export const isStatus = (error: unknown, status: number): error is ApiProblem =>
  error instanceof ApiProblem && error.status === status;
