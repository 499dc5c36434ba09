import { readFileSync, writeFileSync } from 'node:fs';

/** From now on the peak of a process's memory counts anew. */
export const forgetPeakMemory = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** The most memory that a process had at a time since then, as far as it was not swapped out, MiB. */
export function peakMemoryMiB(pid: number): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kib) / 1_024);
}
