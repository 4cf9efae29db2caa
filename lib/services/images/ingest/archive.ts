import { stat } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import yauzl, { type Entry, RandomAccessReader, type ZipFile } from 'yauzl';
import { tables } from '@/db';
import { limits } from '@/lib/core/image-limits';
import type { Storage } from '@/lib/services/storage';
import type { IngestContext } from './ingest-upload';
import { cleanLabel, endingOf, isSystemFile, uniqueLabel } from './label';
import { settleFile, type UploadFile } from './receive-file';

export interface ArchiveEntry {
  label: string;
  /** Why it will not be unpacked, or null. */
  refused: string | null;
  open(): Promise<Readable>;
}

export interface Archive {
  entries: Map<string, ArchiveEntry>;
  /** Litter of file managers that was passed over. */
  skipped: number;
}

/** Why an archive is refused as a whole. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused';
}

/**
 * Reads the directory of a ZIP in storage; nothing is unpacked and no entry's name becomes a path. The
 * same archive gives the same labels every time, so that an interrupted job finds its entries again.
 */
export async function openArchive(storage: Storage, sha256: string): Promise<Archive> {
  const stored = await storage.stat(sha256);
  if (!stored) throw new ArchiveRefused('The archive no longer exists. Upload it again.');
  return opened(
    () => yauzl.fromRandomAccessReaderPromise(new BlobReader(storage, sha256), stored.bytes, options),
    stored.bytes,
  );
}

/** A ZIP of this machine; it stays open for as long as the process lives. */
export async function openArchiveFile(file: string): Promise<Archive> {
  return opened(() => yauzl.openPromise(file, options), (await stat(file)).size);
}

const options = {
  autoClose: false,
  lazyEntries: true,
  decodeStrings: false,
  validateEntrySizes: true,
} as const;

async function opened(open: () => Promise<ZipFile>, bytes: number): Promise<Archive> {
  try {
    return await readDirectory(await open(), bytes);
  } catch (error) {
    if (error instanceof ArchiveRefused) throw error;
    throw new ArchiveRefused(`This is not a whole ZIP archive (${(error as Error).message}).`);
  }
}

async function readDirectory(zip: ZipFile, archiveBytes: number): Promise<Archive> {
  if (zip.entryCount > limits.archiveEntries)
    throw new ArchiveRefused(
      `The archive has ${zip.entryCount} entries; ${limits.archiveEntries} are allowed.`,
    );
  const archive: Archive = { entries: new Map(), skipped: 0 };
  const ranges: Range[] = [];
  let packed = 0;
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    ranges.push(rangeOf(entry));
    packed += entry.compressedSize;
    unpacked += entry.uncompressedSize;
    if (unpacked > limits.archiveBytes)
      throw new ArchiveRefused(`The archive unpacks to more than ${limits.archiveBytes / 1024 ** 3} GB.`);
    // Entries that share bytes are how a small file unpacks to more than its ratio allows.
    if (packed > archiveBytes) throw overlapping();
    addEntry(archive, zip, entry);
  }
  if (hasOverlap(ranges)) throw overlapping();
  return archive;
}

const overlapping = () => new ArchiveRefused('Entries of the archive overlap each other.');

type Range = readonly [start: number, end: number];

/** Of the header before the content, without its name and extra fields, whose lengths the directory need not repeat. */
const LOCAL_HEADER_BYTES = 30;

/** The least that an entry takes up in the file. */
function rangeOf({ relativeOffsetOfLocalHeader: start, compressedSize }: Entry): Range {
  return [start, start + LOCAL_HEADER_BYTES + compressedSize];
}

/**
 * Reports whether two entries share bytes. Entries that quote each other's headers unpack the same bytes many times
 * (Fifield, A better zip bomb, WOOT 2019), each within its own ratio.
 */
function hasOverlap(ranges: Range[]): boolean {
  ranges.sort(([a], [b]) => a - b);
  return ranges.some(([start], i) => i > 0 && start < (ranges[i - 1] as Range)[1]);
}

function addEntry(archive: Archive, zip: ZipFile, entry: Entry): void {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
  const name = yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields ?? [], false);
  if (/[\\/]$/.test(name)) return;
  const given = cleanLabel(name);
  if (isSystemFile(given)) {
    archive.skipped += 1;
    return;
  }
  const label = uniqueLabel(given, archive.entries);
  archive.entries.set(label, {
    label,
    refused: refusalOf(entry, label),
    open: () => openEntry(zip, entry),
  });
}

function refusalOf(entry: Entry, label: string): string | null {
  const { compressedSize, uncompressedSize } = entry;
  if (entry.isEncrypted()) return 'The entry is encrypted.';
  if (!entry.canDecodeFileData()) return 'The entry is packed by a method that is not supported.';
  if (endingOf(label) === 'zip') return 'An archive within an archive is not opened.';
  if (uncompressedSize > limits.archiveRatio * Math.max(compressedSize, 1024))
    return `The entry unpacks to more than ${limits.archiveRatio} times its packed size.`;
  if (uncompressedSize > limits.pictureBytes)
    return `The entry is larger than ${limits.pictureBytes / 1024 ** 2} MB.`;
  return null;
}

/** What is wrong with one entry is about that entry only: the others are still read. */
async function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  const stream = await zip.openReadStreamPromise(entry).catch(blameEntry);
  async function* bytes() {
    try {
      yield* stream;
    } catch (error) {
      blameEntry(error);
    }
  }
  return Readable.from(bytes(), { objectMode: false });
}

/** An error of the machine has a system call; whatever else goes wrong here is what the archive says. */
function blameEntry(error: unknown): never {
  if (!(error instanceof Error) || 'syscall' in error) throw error;
  throw new ArchiveRefused(`The entry is damaged or not what the archive says (${error.message}).`);
}

class BlobReader extends RandomAccessReader {
  constructor(
    private readonly storage: Storage,
    private readonly sha256: string,
  ) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const out = new PassThrough();
    // yauzl's range excludes its end.
    this.storage.get(this.sha256, { start, end: end - 1 }).then(
      (stream) => {
        stream.once('error', (error) => out.destroy(error));
        out.once('close', () => stream.destroy());
        stream.pipe(out);
      },
      (error) => out.destroy(error),
    );
    return out;
  }
}

/** The entries of all archives of an upload, by the label that their files have in it. */
export type Entries = ReadonlyMap<string, ArchiveEntry>;

const rowsPerInsert = 1000;

/** Opens the archives; those that were not before get a row for each of their files. */
export async function openArchives(context: IngestContext, files: readonly UploadFile[]): Promise<Entries> {
  const entries = new Map<string, ArchiveEntry>();
  for (const file of files) {
    context.signal.throwIfAborted();
    if (file.state === 'refused' || !file.blob) continue;
    try {
      const archive = await openArchive(context.storage, file.blob);
      if (file.state === 'received') await unfold(context, file, archive);
      for (const entry of archive.entries.values()) entries.set(`${file.name}/${entry.label}`, entry);
    } catch (error) {
      if (!(error instanceof ArchiveRefused)) throw error;
      await settleFile(context.db, file.id, { state: 'refused', reason: error.message });
    }
  }
  return entries;
}

/** All rows or none, together with the mark that says so: a job that dies here begins this archive again. */
async function unfold({ db }: IngestContext, file: UploadFile, archive: Archive): Promise<void> {
  const rows = [...archive.entries.values()].map((entry) => ({
    uploadId: file.uploadId,
    name: `${file.name}/${entry.label}`,
    state: entry.refused ? ('refused' as const) : ('received' as const),
    reason: entry.refused,
  }));
  const skipped = archive.skipped > 0 ? `, ${archive.skipped} system files passed over` : '';
  await db.transaction(async (tx) => {
    for (let at = 0; at < rows.length; at += rowsPerInsert)
      await tx.insert(tables.uploadFiles).values(rows.slice(at, at + rowsPerInsert));
    await settleFile(tx, file.id, {
      state: 'accepted',
      reason: `Archive of ${rows.length} ${rows.length === 1 ? 'file' : 'files'}${skipped}.`,
    });
  });
}

/** The bytes of a file of an upload: sent by itself, or an entry of an archive that was. */
export async function openFile(
  storage: Storage,
  file: Pick<UploadFile, 'name' | 'blob'>,
  entries: Entries,
): Promise<Readable> {
  if (file.blob) return storage.get(file.blob);
  const entry = entries.get(file.name);
  if (!entry) throw new ArchiveRefused('The file is no longer in its archive.');
  return entry.open();
}
