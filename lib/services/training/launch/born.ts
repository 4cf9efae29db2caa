import { existsSync, readFileSync } from 'node:fs';

const HAS_PROC = existsSync('/proc/self/stat');

/**
 * When a process began, as text that no other of its number has: numbers are given out anew, after a restart of the
 * machine from the beginning. Null where there is none, or only what is left of one that ended.
 */
export function bornOf(pid: number): string | null {
  if (!HAS_PROC) return isThere(pid) ? 'unknown' : null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program comes before and may hold anything; then the state is field 3 and the start field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : `${bootId()}/${fields[19]}`;
  } catch {
    return null;
  }
}

const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
