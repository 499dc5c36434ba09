// Plain JavaScript, because it runs before anything is installed or built. Only node builtins.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * What tells a process from a later one with the same number: when it started. Numbers are reused, so a remembered
 * number alone must never be signalled.
 * @param {number} pid
 * @returns {string | undefined} undefined if there is no such process (a zombie counts as none)
 */
export function startOf(pid) {
  if (!Number.isSafeInteger(pid) || pid < 1) return undefined;
  return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
}

/** @param {{ pid: number, started: string } | undefined} identity */
export function isAlive(identity) {
  return identity !== undefined && startOf(identity.pid) === identity.started;
}

/** @param {number} pid */
function startFromProc(pid) {
  try {
    // The program's name is in brackets and may hold anything, brackets and spaces included: count from the last one.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function startFromPs(pid) {
  try {
    const env = { ...process.env, LC_ALL: 'C' };
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env }).trim() || undefined;
  } catch {
    return undefined;
  }
}
