import type { DataSource } from 'typeorm';

/** How many connections of a pool there are, and who waits for one. */
export interface PoolUse {
  readonly max: number;
  readonly used: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/** What pg's pool tells of itself. */
interface Pool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { readonly max: number };
}

/** Costs nothing, and asks the database nothing. @returns undefined before it is connected */
export function poolUse(source: DataSource): PoolUse | undefined {
  const { master: pool } = source.driver as unknown as { readonly master?: Pool };
  if (pool === undefined) return undefined;
  const { totalCount, idleCount: idle, waitingCount: waiting } = pool;
  return { max: pool.options.max, used: totalCount - idle, idle, waiting };
}
