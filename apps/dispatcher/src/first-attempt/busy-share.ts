import { performance } from 'node:perf_hooks';

/** Tells, of the time since it was asked before, for which share the event loop was busy: 0 to 1. */
export function createBusyShare(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
