import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { and, eq, isNotNull } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { invalid, TesseraError } from '@/lib/core/errors';
import { formats } from '@/lib/core/formats';
import type { Detection, Format, SourceTree } from '@/lib/core/formats/format';
import { InvalidJson, readJson, withJsonCache } from '@/lib/core/formats/shared/read-tree';
import { limits } from '@/lib/core/image-limits';
import {
  type Archive,
  type ArchiveEntry,
  ArchiveRefused,
  type Entries,
  openArchive,
  openArchiveFile,
  openFile,
} from '@/lib/services/images/ingest/archive';
import { cleanLabel, endingOf } from '@/lib/services/images/ingest/label';
import type { UploadFile } from '@/lib/services/images/ingest/receive-file';
import { readAll, type Storage } from '@/lib/services/storage';

export interface FormatGuess extends Detection {
  format: string;
  name: string;
}

type Readable = Format & { reader: NonNullable<Format['reader']> };

const readable = (): Readable[] => formats.filter((format): format is Readable => format.reader !== null);

/** Limits of format detection. */
interface Budget {
  /** Maximum size of the label files read. */
  bytes: number;
  ms: number;
}

/** For the command line: twice the labels of the largest public datasets. */
const cliBudget: Budget = { bytes: 1024 ** 3, ms: 10 * 60_000 };

/** For the web server. Parsing 128 MB of JSON blocks it for a second. */
export const serverBudget: Budget = { bytes: 128 * 1024 ** 2, ms: 20_000 };

/**
 * Detects possible formats, the most likely first. Returns none for images without labels. Throws if reading the label
 * files exceeds the budget; the user then has to choose the format.
 */
export async function detectFormat(given: SourceTree, budget = cliBudget): Promise<FormatGuess[]> {
  const { tree, isSpent } = limitTree(given, budget);
  const guesses: FormatGuess[] = [];
  for (const { id, name, reader } of readable()) {
    // A file that one reader cannot parse can be valid for another.
    const found = await reader.detect(tree).catch(() => null);
    if (found) guesses.push({ format: id, name, ...found });
  }
  if (guesses.length === 0 && isSpent())
    throw new TesseraError(
      'too-large',
      'The label files are too large to detect their format. Specify the format.',
    );
  return guesses.sort((a, b) => b.certainty - a.certainty);
}

const MAX_BROKEN = 5;
const MAX_CHECKED_FILES = 50;

/** Lists label files that are not valid JSON, with one sentence each. */
export async function findBrokenLabels(tree: SourceTree): Promise<string[]> {
  const found: string[] = [];
  for (const path of tree.paths.filter((each) => /\.json$/i.test(each)).slice(0, MAX_CHECKED_FILES)) {
    const problem = await readJson(tree, path).then(
      () => null,
      (error) => (error instanceof InvalidJson ? error.message : null),
    );
    if (problem !== null && found.length < MAX_BROKEN) found.push(problem);
  }
  return found;
}

/** Limits reading to the budget. Files beyond it never reach a parser. */
function limitTree(given: SourceTree, { bytes: most, ms }: Budget) {
  const until = Date.now() + ms;
  let left = most;
  const tree = withJsonCache({
    paths: given.paths,
    async bytes(path) {
      const bytes = left < 0 || Date.now() > until ? null : await given.bytes(path);
      left = bytes === null ? -1 : left - bytes.length;
      if (bytes === null || left < 0) throw new Error('Too much data for format detection.');
      return bytes;
    },
  });
  return { tree, isSpent: () => left < 0 };
}

/** Returns the format with the given id, or the most likely one. */
export async function chooseFormat(
  tree: SourceTree,
  id?: string,
  budget = cliBudget,
): Promise<{ format: Readable; because: string }> {
  if (id !== undefined) {
    const format = readable().find((each) => each.id === id);
    if (format) return { format, because: 'the format was given' };
    const known = readable().map((each) => each.id);
    throw invalid(`Format "${id}" cannot be imported. Use one of: ${known.join(', ')}.`);
  }
  const [best] = await detectFormat(tree, budget);
  const format = readable().find((each) => each.id === best?.format);
  if (!best || !format) {
    const broken = await findBrokenLabels(tree);
    throw invalid(
      broken.length > 0
        ? `${broken.join(' ')} Repair or remove the file, then import again.`
        : 'No label files of a known format found. Choose the format, or import the images only.',
    );
  }
  return { format, because: best.because };
}

/** Maximum size of a label file that fits into the memory of a small machine. */
const MAX_FILE_BYTES = 1024 ** 3;

/** Opens local files given on the command line. */
export function fileTree(files: readonly { name: string; file: string }[]): SourceTree {
  const byName = new Map(files.map(({ name, file }) => [cleanLabel(name), file]));
  return {
    paths: [...byName.keys()].sort(),
    async bytes(name) {
      const file = byName.get(name);
      if (file === undefined) throw new Error(`There is no ${name}.`);
      const { size } = await stat(file);
      if (size > MAX_FILE_BYTES)
        throw new Error(`${path.basename(file)} is larger than ${MAX_FILE_BYTES / 1024 ** 3} GB. Split it.`);
      return readFile(file);
    },
  };
}

/** Opens a local zip. */
export async function zipTree(file: string): Promise<SourceTree> {
  return archiveTree(await openArchiveFile(file));
}

function archiveTree({ entries }: Archive): SourceTree {
  return {
    paths: [...entries.keys()].sort(),
    async bytes(name) {
      const entry = entries.get(name);
      if (!entry) throw new Error(`There is no ${name} in the archive.`);
      if (entry.refused) throw new Error(`${name}: ${entry.refused}`);
      return readAll(await entry.open(), limits.pictureBytes);
    },
  };
}

/** The content of an upload: single files and archive entries. */
function uploadTree(storage: Storage, files: readonly UploadFile[], archives: Entries): SourceTree {
  const loose = new Map(files.filter(({ blob }) => blob !== null).map((file) => [file.name, file]));
  return {
    paths: [...loose.keys(), ...archives.keys()].sort(),
    async bytes(name) {
      const entry = archives.get(name);
      if (entry?.refused) throw new Error(`${name}: ${entry.refused}`);
      const file = loose.get(name);
      if (!entry && !file) throw new Error(`There is no ${name} in the upload.`);
      return readAll(await openFile(storage, file ?? { name, blob: null }, archives), limits.pictureBytes);
    },
  };
}

const { uploadFiles } = tables;

/** Opens an upload as a tree. Only the files that are read are unpacked. */
export async function openUploadTree(db: Db, storage: Storage, uploadId: string): Promise<SourceTree> {
  const files = await db
    .select()
    .from(uploadFiles)
    .where(and(eq(uploadFiles.uploadId, uploadId), isNotNull(uploadFiles.blob)));
  const entries = new Map<string, ArchiveEntry>();
  const archives = new Set<string>();
  for (const file of files) {
    if (endingOf(file.name) !== 'zip' || !file.blob) continue;
    archives.add(file.id);
    try {
      const archive = await openArchive(storage, file.blob);
      for (const entry of archive.entries.values()) entries.set(`${file.name}/${entry.label}`, entry);
    } catch (error) {
      if (!(error instanceof ArchiveRefused)) throw error;
      // Skip an unreadable zip; the other files can still be a dataset.
    }
  }
  return uploadTree(
    storage,
    files.filter(({ id }) => !archives.has(id)),
    entries,
  );
}
