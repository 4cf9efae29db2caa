import { createHash } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { conflict } from '@/lib/core/errors';
import { coalesceChunks, type Entry, hashRange, Journal, type Sink, type WrittenFile } from './export-sink';

/** The layout of an archive. The header size is known in advance, so a header can be written after its content. */
export interface ArchiveLayout {
  headerSize(path: string): number;
  header(entry: { path: string; crc: number; bytes: number }): Buffer;
  /** Padding bytes after the content of an entry. */
  padding(bytes: number): number;
  /** The trailer after the last entry in chunks; `start` is its offset. */
  closing(entries: readonly Entry[], start: number): Iterable<Buffer>;
}

/** Smaller files are written with their header in one call, which is twice as fast. */
const SMALL_FILE_BYTES = 65_536;

/** Writes an archive to a .part file and renames it at the end. Resumes from the journal. */
export async function archiveSink(file: string, what: string, layout: ArchiveLayout): Promise<Sink> {
  if ((await sizeOf(file)) !== null)
    throw conflict(`"${file}" already exists. Choose another file name or remove it.`);
  const part = `${file}.part`;
  const journal = await Journal.open(`${part}.journal`, what, (entries) =>
    verifyEntries(part, entries, layout),
  );
  let end = journal.entries.at(-1)?.end ?? 0;
  const handle = await open(part, journal.entries.length === 0 ? 'w+' : 'r+', 0o600);
  await handle.truncate(end);

  const write = async (bytes: Uint8Array, at: number) => {
    for (let done = 0; done < bytes.length; )
      done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
  };
  const commitEntry = async (path: string, written: WrittenFile, crc: number): Promise<WrittenFile> => {
    const padding = layout.padding(written.bytes);
    const contentEnd = end + layout.headerSize(path) + written.bytes;
    if (padding > 0) await write(Buffer.alloc(padding), contentEnd);
    end = contentEnd + padding;
    await journal.add({ path, ...written, end, crc });
    return written;
  };
  const putFile = async (path: string, content: Uint8Array, sha256?: string) => {
    const crc = crc32(content);
    const head = layout.header({ path, crc, bytes: content.length });
    if (content.length < SMALL_FILE_BYTES) await write(Buffer.concat([head, content]), end);
    else {
      await write(head, end);
      await write(content, end + head.length);
    }
    const hash = sha256 ?? createHash('sha256').update(content).digest('hex');
    return commitEntry(path, { sha256: hash, bytes: content.length }, crc);
  };
  return {
    acceptsConcurrentWrites: false,
    kept: new Map(journal.entries.map(({ path, sha256, bytes }) => [path, { sha256, bytes }])),
    async folder(path) {
      await putFile(path, new Uint8Array(0));
    },
    file: putFile,
    async stream(path, chunks) {
      const hash = createHash('sha256');
      const start = end + layout.headerSize(path);
      let bytes = 0;
      let crc = 0;
      for await (const piece of coalesceChunks(chunks)) {
        hash.update(piece);
        crc = crc32(piece, crc);
        await write(piece, start + bytes);
        bytes += piece.length;
      }
      await write(layout.header({ path, crc, bytes }), end);
      return commitEntry(path, { sha256: hash.digest('hex'), bytes }, crc);
    },
    async finish() {
      let at = end;
      for (const piece of layout.closing(journal.entries, end)) {
        await write(piece, at);
        at += piece.length;
      }
      await handle.sync();
      await handle.close();
      await journal.close();
      await rename(part, file);
      await rm(`${part}.journal`, { force: true });
      return { bytes: at };
    },
    async pause() {
      await handle.close();
      await journal.close();
    },
  };
}

/** Returns the entries up to the first one whose bytes do not match the journal. */
async function verifyEntries(
  part: string,
  entries: readonly Entry[],
  layout: ArchiveLayout,
): Promise<Entry[]> {
  const whole: Entry[] = [];
  let start = 0;
  for (const entry of entries) {
    const { path, bytes, sha256, end } = entry;
    if ((await hashRange(part, start + layout.headerSize(path), bytes)) !== sha256) break;
    whole.push(entry);
    start = end;
  }
  return whole;
}

const sizeOf = async (file: string): Promise<number | null> =>
  (await stat(file).catch(() => null))?.size ?? null;
