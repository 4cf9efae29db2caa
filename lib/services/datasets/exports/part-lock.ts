import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { hasExited, startMoment } from '@/db/embedded/processes';
import { TesseraError } from '@/lib/core/errors';

interface Holder {
  host: string;
  pid: number;
  /** When that process began: a restarted container gives the same number to another one. */
  began?: string;
}

/** Keeps a second writer away from a half-written export, for as long as the first one lives. */
export async function lockPart(file: string): Promise<() => Promise<void>> {
  for (let attempt = 0; attempt < 2; attempt++) {
    if (await take(file)) return () => rm(file, { force: true });
    if (await isHeld(file)) break;
    await removeDead(file);
  }
  throw new TesseraError('unavailable', `Another process is writing this export ("${file}"): wait for it.`);
}

/** Its holder is written before the lock has its name: one that is empty for a moment would be taken for a dead one. */
async function take(file: string): Promise<boolean> {
  const { pid } = process;
  const holder: Holder = { host: os.hostname(), pid, began: startMoment(pid) };
  const own = `${file}.${randomUUID()}`;
  try {
    await writeFile(own, JSON.stringify(holder));
    await link(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // A disk that knows no second names, as that of a memory stick.
    return await writeFile(file, JSON.stringify(holder), { flag: 'wx' }).then(
      () => true,
      (why: NodeJS.ErrnoException) => {
        if (why.code === 'EEXIST') return false;
        throw why;
      },
    );
  } finally {
    await rm(own, { force: true });
  }
}

/** Moved away first: another may have removed the dead one meanwhile and hold the lock itself. */
async function removeDead(file: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  await rename(file, aside).catch(() => {});
  if (await isHeld(aside)) await link(aside, file).catch(() => {});
  await rm(aside, { force: true });
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
