import { STATUS_CODES } from 'node:http';
import type { FieldError } from '../accept/refusal.js';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

export interface ProblemExtras {
  /** Stable, for programs; where one status has several causes. */
  readonly code?: string;
  readonly errors?: readonly FieldError[];
  readonly retryAfterMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that is not the one hoped for, as RFC 9457 wants it told. */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly status: number,
    /** A sentence for the caller: what is wrong and what to do. */
    readonly detail: string,
    readonly extras: ProblemExtras = {},
  ) {
    super(detail);
  }

  /** The response's headers beside the media type. */
  get headers(): Record<string, string> {
    const { retryAfterMs, headers } = this.extras;
    if (retryAfterMs === undefined) return { ...headers };
    return { ...headers, 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) };
  }

  toBody(requestId: string): object {
    return {
      type: 'about:blank',
      // RFC 9110 renamed 422; Node still has the old phrase.
      title: this.status === 422 ? 'Unprocessable Content' : (STATUS_CODES[this.status] ?? 'Error'),
      status: this.status,
      detail: this.detail,
      ...(this.extras.code === undefined ? {} : { code: this.extras.code }),
      ...(this.extras.errors ? { errors: this.extras.errors } : {}),
      request_id: requestId,
    };
  }
}
