import type { Transaction } from '../database/data-source.js';

/** A token bucket: holds `capacity`, and gets that many back in `periodSeconds`. */
export interface RateLimit {
  readonly capacity: number;
  readonly periodSeconds: number;
}

/** Tokens taken (0 if there were not enough), and when at least one will be there again. */
export interface TakenTokens {
  readonly taken: number;
  readonly retryAfterSeconds: number;
}

/** What a taker asks of a bucket. */
export interface TokenRequest {
  /** Tokens at most; fewer are taken if there are fewer. */
  readonly wanted: number;
  /** Tokens that were taken before and not used: they go back first. */
  readonly returned: number;
}

/**
 * A transaction that began before another one may come after it; no transaction lasts as long as this. What was
 * refilled later still was so by a clock that has been set back since: until it has caught up nobody would get a token.
 */
const CLOCK_SET_BACK = `interval '1 minute'`;

/**
 * Takes up to `wanted` tokens from a bucket that all replicas share; at least one or none. The bucket stays locked
 * until the transaction ends: give it one of its own.
 */
export async function takeTokens(
  tx: Transaction,
  bucket: string,
  limit: RateLimit,
  { wanted, returned }: TokenRequest,
): Promise<TakenTokens> {
  const perSecond = limit.capacity / limit.periodSeconds;
  const rows: { before: number; taken: number }[] = await tx.query(
    `WITH fresh AS (
       INSERT INTO rate_limits AS held (bucket, tokens, refilled_at, full_at) VALUES ($1, $2, now(), now())
       ON CONFLICT (bucket) DO UPDATE SET
         tokens = least($2, held.tokens + greatest(0, extract(epoch FROM now() - held.refilled_at)) * $3 + $5),
         refilled_at = CASE WHEN held.refilled_at > now() + ${CLOCK_SET_BACK} THEN now()
           ELSE greatest(held.refilled_at, now()) END
       RETURNING tokens
     )
     SELECT tokens AS before, floor(least($4::float8, tokens)) AS taken FROM fresh`,
    [bucket, limit.capacity, perSecond, wanted, returned],
  );
  const { before, taken } = rows[0]!;
  const left = before - taken;
  await tx.query(`UPDATE rate_limits SET tokens = $2, full_at = now() + make_interval(secs => $3) WHERE bucket = $1`, [
    bucket,
    left,
    (limit.capacity - left) / perSecond,
  ]);
  return { taken, retryAfterSeconds: Math.max(1, Math.ceil((1 - left) / perSecond)) };
}

/** Drops the buckets that are full again: a missing one counts as full. */
export async function dropFullBuckets(tx: Transaction): Promise<void> {
  await tx.query("DELETE FROM rate_limits WHERE full_at < now() - interval '1 minute'");
}
