import { readFileSync } from 'node:fs';
import { commandLine } from '@/db/embedded';

/** Of one process of ours; a web process under load keeps some hundred megabytes. */
const mostBytes = 2.5 * 1024 ** 3;
const everyMs = 250;

/** Watches the greatest memory of web and worker, in bytes, by their names. */
export function watchMemory(pids: readonly number[], blame: (fault: string) => void) {
  const most: Record<string, number> = {};
  const nameOf = (pid: number) => (commandLine(pid)?.includes('worker') ? 'worker' : 'web');
  const named = pids.map((pid) => ({ pid, name: nameOf(pid) }));
  const timer = setInterval(() => {
    for (const { pid, name } of named) {
      const bytes = residentBytes(pid);
      if (bytes > mostBytes && (most[name] ?? 0) <= mostBytes)
        blame(`the ${name} process took too much memory`);
      most[name] = Math.max(most[name] ?? 0, bytes);
    }
  }, everyMs);
  return {
    stop(): Record<string, number> {
      clearInterval(timer);
      return most;
    },
  };
}

function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
