import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isAlive, startMoment } from '@/db/embedded';

/** The process that owns a lock. Process ids are reused, but not together with the start time. */
export interface Holder {
  pid: number;
  began: string | undefined;
  /** Shown to a process that finds the lock taken, for example the address of the running instance. */
  note: string;
}

export interface Lock {
  release(): void;
}

/** The lock of the running instance in a data folder. */
export const startLock = (home: string) => path.join(home, 'start.lock');

/** Takes the lock, or returns its owner. Takes over the lock of a process that has died. */
export function takeLock(file: string, note: string): Lock | Holder {
  const own: Holder = { pid: process.pid, began: startMoment(process.pid), note };
  for (;;) {
    try {
      writeFileSync(file, JSON.stringify(own), { flag: 'wx', mode: 0o600 });
      return { release: () => rmSync(file, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = lockHolder(file);
    if (holder) return holder;
    rmSync(file, { force: true });
  }
}

/** Returns the owner of a lock if it is still running. */
export function lockHolder(file: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as Holder;
    return isAlive(holder.pid) && startMoment(holder.pid) === holder.began ? holder : undefined;
  } catch {
    return undefined;
  }
}
