import { createHash } from 'node:crypto';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { conflict } from '@/lib/core/errors';
import { resolveInside } from '@/lib/services/storage';
import {
  coalesceChunks,
  type Entry,
  hashRange,
  Journal,
  type Sink,
  TaskPool,
  type WrittenFile,
} from './export-sink';

/** Large files and copies are written concurrently. Small ones are faster to write synchronously. */
const MAX_CONCURRENT = 8;
const SMALL_FILE_BYTES = 256 * 1024;

/** Writes files to a .part folder and renames it at the end. */
export async function folderSink(folder: string, what: string): Promise<Sink> {
  if (existsSync(folder) && (await readdir(folder)).length > 0)
    throw conflict(`"${folder}" exists and is not empty. Choose another folder or empty it.`);
  const part = `${folder}.part`;
  const journalFile = `${folder}.part.journal`;
  await mkdir(part, { recursive: true });
  const journal = await Journal.open(journalFile, what, (entries) => verifyFiles(part, entries));
  // Removes leftovers of a different export with the same name.
  if (journal.entries.length === 0) {
    await rm(part, { recursive: true, force: true });
    await mkdir(part, { recursive: true });
  }
  const made = new Map<string, Promise<unknown>>();
  const placeOf = async (name: string) => {
    const place = resolveInside(part, name);
    const parent = path.dirname(place);
    if (!made.has(parent)) made.set(parent, mkdir(parent, { recursive: true }));
    await made.get(parent);
    return place;
  };
  const writing = new TaskPool(MAX_CONCURRENT);
  let bytes = journal.entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const keep = async (name: string, written: WrittenFile) => {
    bytes += written.bytes;
    await journal.add({ path: name, ...written, end: 0 });
  };
  return {
    acceptsConcurrentWrites: true,
    kept: new Map(
      journal.entries.map(({ path: name, sha256, bytes: size }) => [name, { sha256, bytes: size }]),
    ),
    async folder(name) {
      await mkdir(resolveInside(part, name), { recursive: true });
    },
    async file(name, content, known) {
      const sha256 = known ?? createHash('sha256').update(content).digest('hex');
      const written = { sha256, bytes: content.length };
      if (content.length <= SMALL_FILE_BYTES) {
        writeFileSync(await placeOf(name), content);
        await keep(name, written);
      } else
        await writing.start(async () => {
          await writeFile(await placeOf(name), content);
          await keep(name, written);
        });
      return written;
    },
    async copy(name, from, sha256) {
      const place = await placeOf(name);
      const written = { sha256, bytes: statSync(from).size };
      await writing.start(async () => {
        await copyFile(from, place);
        await keep(name, written);
      });
      return written;
    },
    async stream(name, chunks) {
      const handle = await open(await placeOf(name), 'w');
      const hash = createHash('sha256');
      let size = 0;
      try {
        for await (const piece of coalesceChunks(chunks)) {
          hash.update(piece);
          size += piece.length;
          await handle.appendFile(piece);
        }
      } finally {
        await handle.close();
      }
      const written = { sha256: hash.digest('hex'), bytes: size };
      await keep(name, written);
      return written;
    },
    async finish() {
      await writing.end();
      await journal.close();
      // Fails if the folder is no longer empty.
      if (existsSync(folder)) await rmdir(folder);
      await rename(part, folder);
      await rm(journalFile, { force: true });
      return { bytes };
    },
    async pause() {
      await writing.end().catch(() => {});
      await journal.close();
    },
  };
}

/** Returns the entries whose files match the journal. */
async function verifyFiles(part: string, entries: readonly Entry[]): Promise<Entry[]> {
  const whole: Entry[] = [];
  for (const entry of entries) {
    const file = resolveInside(part, entry.path);
    const found = await stat(file).catch(() => null);
    if (found?.size === entry.bytes && (await hashRange(file, 0, entry.bytes)) === entry.sha256)
      whole.push(entry);
  }
  return whole;
}
