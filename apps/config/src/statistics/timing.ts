import type { EndpointStatsDto } from '@form-webhooks/http-api';
import { percentile, type LatencyPoint } from '@form-webhooks/storage';

/** How many attempts were counted, and how long they took. */
export function timing(points: readonly LatencyPoint[]): Pick<EndpointStatsDto, 'attempts' | 'latency_ms'> {
  const bins = new Map<number, number>();
  for (const { bin, attempts } of points) bins.set(bin, (bins.get(bin) ?? 0) + attempts);
  return {
    attempts: points.reduce((sum, { attempts }) => sum + attempts, 0),
    latency_ms: { p50: percentile(bins, 0.5), p95: percentile(bins, 0.95), p99: percentile(bins, 0.99) },
  };
}
