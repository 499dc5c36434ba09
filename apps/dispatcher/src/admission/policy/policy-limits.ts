/** What bounds the policy. */
export interface PolicyLimits {
  /** Attempts at a time in all. */
  readonly concurrency: number;
  /** Attempts at a time for one endpoint. */
  readonly endpointMaxInFlight: number;
  /** How long an attempt takes at most, ms. */
  readonly attemptTimeoutMs: number;
  /** How many endpoints are remembered, and how many origins. */
  readonly rememberedMax?: number;
}
