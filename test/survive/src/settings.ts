/**
 * What some faults need of a run: ways to the servers that can be frozen, a form that gets large events, a form that
 * gets very many, servers on file systems of their own that can be filled, or a build of an earlier version.
 */
export type Need = 'proxies' | 'large events' | 'a flood' | 'small disks' | 'an earlier build';

/** What a run is made of. */
export interface SurvivalSettings {
  readonly seed: number;
  /** Events begun per second. */
  readonly perSecond: number;
  readonly forms: number;
  readonly ingests: number;
  readonly dispatchers: number;
  /** 1 unless it says otherwise. */
  readonly configs?: number;
  /** A RabbitMQ cluster of three nodes instead of one node. */
  readonly cluster: boolean;
  readonly needs?: readonly Need[];
  /** A checkout of an earlier version, built: the services start from it, and faults replace them by this one. */
  readonly earlierBuild?: string | undefined;
  /** Environment for every service beyond `SCALED_TIME`. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Whatever lasts minutes or hours, in seconds; and room for fewer attempts at a time. */
export const SCALED_TIME = {
  RETRY_SCHEDULE: '200ms,400ms,800ms,1600ms,3s,5s,5s,5s,5s,5s,5s,5s',
  ATTEMPT_TIMEOUT: '5s',
  STOP_TIMEOUT: '6s',
  CACHE_MAX_AGE: '2s',
  RECONCILE_GRACE: '60s',
  // Fewer at a time than by default, as the whole product, its load and its receivers share one small machine.
  DISPATCHER_CONCURRENCY: '250',
  ENDPOINT_MAX_IN_FLIGHT: '40',
} as const;

/** Every service's heap, MiB: what a run needs has to fit. */
export const HEAP_MIB = 256;

/** How far back a dispatcher's death can explain what its log lacks: an attempt and what follows from it, ms. */
export const ATTEMPT_SPAN_MS = 7_000;
