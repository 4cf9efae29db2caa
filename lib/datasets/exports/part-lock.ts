import { open, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import { hasExited, startMoment } from '@/db/embedded/processes';
import { TesseraError } from '@/lib/errors';

interface Holder {
  host: string;
  pid: number;
  /** When that process began: a restarted container gives the same number to another one. */
  began?: string;
}

/** Keeps a second writer away from a half-written export, for as long as the first one lives. */
export async function lockPart(file: string): Promise<() => Promise<void>> {
  const release = () => rm(file, { force: true });
  for (let attempt = 0; attempt < 2; attempt++) {
    const handle = await open(file, 'wx').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return null;
      throw error;
    });
    if (handle) {
      const { pid } = process;
      const holder: Holder = { host: os.hostname(), pid, began: startMoment(pid) };
      await handle.writeFile(JSON.stringify(holder)).finally(() => handle.close());
      return release;
    }
    if (await isHeld(file)) break;
    await release();
  }
  throw new TesseraError('unavailable', `Another process is writing this export ("${file}"): wait for it.`);
}

async function isHeld(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => '');
  try {
    const { host, pid, began } = JSON.parse(text) as Holder;
    if (host !== os.hostname()) return true;
    if (began !== undefined && startMoment(pid) !== began) return false;
    return !(await hasExited(pid, 0));
  } catch {
    // Nothing readable in it: its writer died, or the disk was full, before it could say who it is.
    return false;
  }
}
