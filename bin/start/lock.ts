import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isAlive, startMoment } from '@/db/embedded';

/** Who holds a lock: the number of a process is used again, number and start moment are not. */
export interface Holder {
  pid: number;
  began: string | undefined;
  /** Something to tell the next one: the address of the running instance, say. */
  note: string;
}

export interface Lock {
  release(): void;
}

/** Held by the running instance of a home. */
export const startLock = (home: string) => path.join(home, 'start.lock');

/** Takes the lock, or says who holds it. A lock whose holder has died is taken over. */
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

/** The living holder of a lock. */
export function lockHolder(file: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as Holder;
    return isAlive(holder.pid) && startMoment(holder.pid) === holder.began ? holder : undefined;
  } catch {
    return undefined;
  }
}
