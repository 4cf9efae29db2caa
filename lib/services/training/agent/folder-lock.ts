import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { TesseraError } from '@/lib/core/errors';
import { bornOf } from '../launch/born';

const LOCK = 'agent.json';

interface Holder {
  host: string;
  pid: number;
  born: string | null;
}

/** One agent a folder: another would end the runs of the first as left over. Returns how to let go of it. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, LOCK);
  const us: Holder = { host: os.hostname(), pid: process.pid, born: bornOf(process.pid) };
  for (;;) {
    const isOurs = await writeFile(file, JSON.stringify(us), { flag: 'wx' }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    );
    if (isOurs) return () => rm(file, { force: true });
    const holder = await readHolder(file);
    if (holder && isThere(holder))
      throw new TesseraError(
        'conflict',
        `Another agent (process ${holder.pid} of ${holder.host}) works in ${folder}. Give this one another --folder, or remove ${file} if that one is gone.`,
      );
    // What an agent left that was killed.
    await rm(file, { force: true });
  }
}

/** Of another machine nothing can be known: somebody has to say that it is gone. */
const isThere = ({ host, pid, born }: Holder): boolean =>
  host !== os.hostname() || (born !== null && bornOf(pid) === born);

async function readHolder(file: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Holder;
  } catch {
    return null;
  }
}
