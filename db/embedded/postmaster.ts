import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { commandLine, isAlive } from './processes';

export interface Postmaster {
  pid: number;
  port: number;
}

const pidFile = (data: string) => path.join(data, 'postmaster.pid');

/**
 * The server that runs on this folder, also one left over from a start that was killed. The file of a server
 * that died is removed: PostgreSQL would refuse to start if its number now belongs to another process.
 */
export function findPostmaster(data: string): Postmaster | undefined {
  let lines: string[];
  try {
    lines = readFileSync(pidFile(data), 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  // Lines: process, data folder, start time, port, socket folder, address, shared memory, state.
  const pid = Number(lines[0]);
  if (isAlive(pid) && commandLine(pid)?.includes(data)) return { pid, port: Number(lines[3]) };
  rmSync(pidFile(data), { force: true });
  return undefined;
}
