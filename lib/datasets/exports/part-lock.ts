import { open, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import { TesseraError } from '@/lib/errors';

interface Holder {
  host: string;
  pid: number;
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
      await handle.writeFile(JSON.stringify({ host: os.hostname(), pid: process.pid } satisfies Holder));
      await handle.close();
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
    const { host, pid } = JSON.parse(text) as Holder;
    if (host !== os.hostname()) return true;
    process.kill(pid, 0);
    return true;
  } catch {
    // Nothing readable in it, or its process is gone.
    return false;
  }
}
