import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second in /proc; fixed on Linux for user space. */
const TICKS = 100;

/** CPU time that a process has used so far, children that it waits for included, in ms. Linux only. */
export function cpuMs(pid: number): number {
  const fields = statOf(pid);
  // Its own in user and in kernel mode, and that of children that have ended: backends of PostgreSQL come and go.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return (ticks * 1_000) / TICKS;
}

/** The same for a process and everything below it that still runs, such as PostgreSQL's backends. */
export const cpuMsOfTree = (root: number): number => pidsOfTree(root).reduce((sum, pid) => sum + safeCpuMs(pid), 0);

/** A process and everything below it. */
export function pidsOfTree(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      parents.set(Number(name), Number(statOf(Number(name))[1]));
    } catch {
      // It ended between the listing and the look.
    }
  }
  const below = (pid: number): boolean => pid === root || (parents.has(pid) && below(parents.get(pid)!));
  return [...parents.keys()].filter(below);
}

function safeCpuMs(pid: number): number {
  try {
    return cpuMs(pid);
  } catch {
    return 0;
  }
}

/** The fields behind the program's name, which may itself hold blanks and brackets. */
function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
