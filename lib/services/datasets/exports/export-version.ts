import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Db } from '@/db';
import { hasExited, startMoment } from '@/db/embedded/processes';
import { invalid, TesseraError } from '@/lib/core/errors';
import type { FormatFile } from '@/lib/core/formats/format';
import type { Storage } from '@/lib/services/storage';
import { canonical } from '../manifest';
import { tarLayout, zipLayout } from './archive-layouts';
import { type ArchiveLayout, archiveSink } from './archive-sink';
import { croissantFiles } from './croissant-files';
import { folderSink } from './folder-sink';
import { type ExportRequest, formatRefusals, type OpenExport, openExport } from './open-export';
import { createPictures } from './read-pictures';
import { writeExport } from './write-export';

interface Exporting {
  db: Db;
  storage: Storage;
  signal: AbortSignal;
  progress(done: number, total: number | null, text?: string): Promise<void>;
}

export interface Exported {
  bytes: number;
  files: number;
  losses: readonly string[];
  hash: string;
}

/** Writes a version to a folder, or to a file whose name ends in .zip or .tar. */
export const exportVersion = (...work: Parameters<typeof writeTo>): Promise<Exported> =>
  withSmallHeap(() => writeTo(...work));

async function writeTo(
  { db, storage, signal, progress }: Exporting,
  wanted: ExportRequest,
  out: string,
  told?: FaultContext,
): Promise<Exported> {
  const target = path.resolve(out);
  const layout = archiveLayoutFor(target);
  await progress(0, null, 'Checking');
  const open = await openExport(db, storage, wanted);
  const { format, dataset, options, version } = open;
  const check = await format.check(dataset, options);
  if (check.refusals.length > 0)
    throw new TesseraError('invalid', `${format.name} cannot store this version.\n${formatRefusals(check)}`, {
      refusals: check.refusals,
    });
  const pictures = createPictures(storage);
  // File content is created on demand, so listing needs one pass over the labels and reads no pixels.
  const paths: string[] = [];
  for await (const { path } of format.write(dataset, options, pictures)) paths.push(path);
  const extras = createExtras(open, check.losses, paths);
  const total = paths.length + extras.length;
  const what = canonical({ hash: version.hash, format: format.id, options, writer: 3 });
  let unlock = async () => {};
  try {
    await mkdir(path.dirname(target), { recursive: true });
    unlock = await lockPart(`${target}.part.lock`);
    const sink = layout ? await archiveSink(target, what, layout) : await folderSink(target, what);
    const written = await writeExport({
      dataset,
      format,
      options,
      pictures,
      sink,
      extras,
      placeOf: storage.place,
      signal,
      progress: (files) => progress(files, total, 'Writing files'),
    });
    return { ...written, losses: check.losses, hash: version.hash };
  } catch (error) {
    const here = {
      place: `"${target}"`,
      again: 'then start the same export again: it goes on where it stopped.',
    };
    throw explainDiskFault(error, told ?? here);
  } finally {
    await unlock();
  }
}

/** Returns the archive layout for the file extension, or null for a folder. */
function archiveLayoutFor(target: string): ArchiveLayout | null {
  if (/\.zip$/i.test(target)) return zipLayout;
  if (/\.tar$/i.test(target)) return tarLayout;
  if (/\.(?:gz|tgz|bz2|xz|zst|7z|rar)$/i.test(target))
    throw invalid(
      `"${path.basename(target)}": unsupported extension. Export to a folder, a .zip or a .tar file.`,
    );
  return null;
}

/** Files that every export contains. They name no people and no times, so that the bytes are reproducible. */
function createExtras(open: OpenExport, losses: readonly string[], paths: readonly string[]) {
  const { version, format, options, original, dataset } = open;
  const about = {
    version: version.hash,
    format: format.id,
    options,
    losses,
    licence: original.licence,
    card: version.card,
  };
  const extras: FormatFile[] = [
    { path: 'CARD.json', bytes: () => new TextEncoder().encode(`${JSON.stringify(about, null, 2)}\n`) },
    ...croissantFiles(open, losses, paths),
  ];
  if (options.names === 'number')
    extras.push({ path: 'names.csv', chunks: () => namesOf(original, dataset) });
  return extras;
}

async function* namesOf(original: OpenExport['original'], dataset: OpenExport['dataset']) {
  yield 'stem,name\n';
  const named = original.images()[Symbol.asyncIterator]();
  for await (const { name } of dataset.images()) {
    const { value } = await named.next();
    yield `${name.replace(/\.\w+$/, '')},"${String(value?.name).replaceAll('"', '""')}"\n`;
  }
}

/** Context of a disk error: what was being written, and how to continue after fixing it. */
interface FaultContext {
  place: string;
  again: string;
}

/** Messages for disk errors, with the next step. Written files are kept for the next attempt. */
const faults: Record<string, (told: FaultContext) => string> = {
  ENOSPC: ({ place, again }) => `The disk for ${place} is full. Free some space there, ${again}`,
  EDQUOT: ({ place, again }) => `The disk quota for ${place} is used up. Free some space there, ${again}`,
  EFBIG: ({ place, again }) =>
    `A file of ${place} would be larger than this disk or this account allows. Raise the limit (ulimit -f) or use another disk, ${again}`,
  EROFS: ({ place, again }) =>
    `The disk for ${place} is read-only. Make it writable or use another one, ${again}`,
  EACCES: ({ place, again }) =>
    `This account may not write ${place}. Change the rights of the place, ${again}`,
  EIO: ({ place, again }) => `The disk for ${place} reports an error. Check it, ${again}`,
};

/** Returns a readable error for disk problems, or the error itself. */
function explainDiskFault(error: unknown, told: FaultContext): unknown {
  const says = faults[String((error as NodeJS.ErrnoException | null)?.code)];
  return says ? new TesseraError('unavailable', says(told)) : error;
}

/** V8 collects garbage when the heap has grown by this percentage; the default allows up to 300 %. */
const GROWING_PERCENT = 20;
let working = 0;

/**
 * Runs an export with early garbage collection. About 20 MB are live regardless of the number of images; with the default
 * settings the heap would grow to several times that.
 */
export async function withSmallHeap<T>(work: () => Promise<T>): Promise<T> {
  if (working++ === 0) setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
  try {
    return await work();
  } finally {
    if (--working === 0) setFlagsFromString('--heap-growing-percent=0');
  }
}

interface LockOwner {
  host: string;
  pid: number;
  /** Start time of the process, because a restarted container reuses process ids. */
  began?: string;
}

/** Locks a partial export for the lifetime of this process. */
export async function lockPart(file: string): Promise<() => Promise<void>> {
  for (let attempt = 0; attempt < 2; attempt++) {
    if (await tryLock(file)) return () => rm(file, { force: true });
    if (await isLocked(file)) break;
    await removeStaleLock(file);
  }
  throw new TesseraError(
    'unavailable',
    `Another process is writing this export ("${file}"). Wait for it to finish.`,
  );
}

/** Creates the lock file. The owner is written before the file gets its name, because an empty lock counts as stale. */
async function tryLock(file: string): Promise<boolean> {
  const { pid } = process;
  const holder: LockOwner = { host: os.hostname(), pid, began: startMoment(pid) };
  const own = `${file}.${randomUUID()}`;
  try {
    await writeFile(own, JSON.stringify(holder));
    await link(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // File systems without hard links, such as FAT.
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

/** Moves a stale lock away before removing it, because another process can have replaced it with its own. */
async function removeStaleLock(file: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  await rename(file, aside).catch(() => {});
  if (await isLocked(aside)) await link(aside, file).catch(() => {});
  await rm(aside, { force: true });
}

async function isLocked(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => '');
  try {
    const { host, pid, began } = JSON.parse(text) as LockOwner;
    if (host !== os.hostname()) return true;
    if (began !== undefined && startMoment(pid) !== began) return false;
    return !(await hasExited(pid, 0));
  } catch {
    // Unreadable: the owner stopped, or the disk was full, before it was written.
    return false;
  }
}
