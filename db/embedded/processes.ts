import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process of another user answers EPERM: it is alive all the same. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * The command line of a process, or undefined when there is none. Process numbers are used again by the
 * system, so that "alive" alone does not say that it is still the process one remembers.
 */
export function commandLine(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    }
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

/** True when the process is gone before the time is over. */
export async function hasExited(pid: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (isAlive(pid) && !isZombie(pid)) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

/** In a container whose first process collects no orphans, an ended process stays in the table. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/\(.*\)/, ''));
  } catch {
    return false;
  }
}

/** When the process began, in whatever form the system has it: two processes never share number and moment. */
export function startMoment(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      // Field 22; the name in brackets (field 2) may itself hold spaces.
      return readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[19];
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

export function parentOf(pid: number): number | undefined {
  try {
    if (process.platform === 'linux') {
      return Number(
        readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')[1],
      );
    }
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
  } catch {
    return undefined;
  }
}

/** Nobody tells the numbers of what others have started; the system knows whose children they are. */
export const childrenOf = (pid: number): number[] => processes().filter((each) => parentOf(each) === pid);

function processes(): number[] {
  if (process.platform === 'linux') return readdirSync('/proc').map(Number).filter(Number.isInteger);
  return execFileSync('ps', ['-A', '-o', 'pid='], { encoding: 'utf8' }).split('\n').map(Number);
}
