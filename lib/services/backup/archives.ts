import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { invalid } from '@/lib/core/errors';
import { tarLayout } from '@/lib/services/datasets/exports/archive-layouts';
import { resolveInside } from '@/lib/services/storage';
import { BackupManifest, manifestFile } from './layout';

type Bytes = Uint8Array | AsyncIterable<Uint8Array>;

/** Destination of the files of a backup, written one after the other. */
export interface BackupSink {
  /** The size is required in advance for tar headers. */
  write(file: string, bytes: number, content: Bytes): Promise<{ sha256: string }>;
  close(): Promise<void>;
}

/** File mode: readable by the owner only, because a backup contains all data. */
const PRIVATE = 0o600;

export function folderSink(folder: string): BackupSink {
  return {
    async write(file, bytes, content) {
      const place = resolveInside(folder, file);
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
      const handle = await open(place, 'wx', PRIVATE);
      try {
        const written = await pass(content, bytes, (chunk) => handle.writeFile(chunk));
        await handle.sync();
        return written;
      } finally {
        await handle.close();
      }
    },
    close: async () => {},
  };
}

export async function tarSink(file: string): Promise<BackupSink> {
  const handle = await open(file, 'wx', PRIVATE);
  const put = (chunk: Uint8Array) => handle.writeFile(chunk);
  return {
    async write(name, bytes, content) {
      await put(tarLayout.header({ path: name, bytes, crc: 0 }));
      const written = await pass(content, bytes, put);
      await put(Buffer.alloc(tarLayout.padding(bytes)));
      return written;
    },
    async close() {
      try {
        for (const block of tarLayout.closing([], 0)) await put(block);
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
  };
}

async function pass(content: Bytes, bytes: number, put: (chunk: Uint8Array) => Promise<void>) {
  const hash = createHash('sha256');
  let passed = 0;
  for await (const chunk of content instanceof Uint8Array ? [content] : content) {
    passed += chunk.byteLength;
    hash.update(chunk);
    await put(chunk);
  }
  if (passed !== bytes) throw new Error('A file of the store changed its size while it was read.');
  return { sha256: hash.digest('hex') };
}

/** A file of a backup, in writing order. Read the content before continuing. */
export interface BackupEntry {
  path: string;
  bytes: number;
  content: AsyncIterable<Uint8Array>;
}

export async function openBackup(place: string): Promise<AsyncIterable<BackupEntry>> {
  const found = await stat(place).catch(() => null);
  if (!found) throw invalid(`There is no backup at ${place}.`);
  return found.isDirectory() ? folderEntries(place) : tarEntries(place);
}

async function* folderEntries(folder: string): AsyncGenerator<BackupEntry> {
  const text = await readFile(resolveInside(folder, manifestFile), 'utf8').catch(() => null);
  if (text === null)
    throw invalid('The folder has no manifest, so it is not a complete backup. Use another backup.');
  const manifest = BackupManifest.safeParse(parseJson(text));
  if (!manifest.success) throw invalid('The manifest of the backup is damaged.');
  const root = await realpath(folder);
  for (const { path } of [...manifest.data.files, { path: manifestFile }]) {
    const file = resolveInside(folder, path);
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) throw invalid(`The backup is not whole: ${path} is missing.`);
    // A link could point to any local file.
    if ((await realpath(file)) !== resolveInside(root, path))
      throw invalid(`The backup is not safe: ${path} is a link to another place.`);
    yield { path, bytes: found.size, content: createReadStream(file) };
  }
}

const BLOCK = 512;
/** Extended header and the two codes for a regular file. */
const FILE_TYPES = ['x', '0', '\0'];
const cut = () => invalid('The backup is cut short or damaged: it ends in the middle of a file.');

/** Reads a tar backup. Every file has an extended header with its path and size. */
async function* tarEntries(file: string): AsyncGenerator<BackupEntry> {
  const reader = new Reader(createReadStream(file, { highWaterMark: 256 * 1024 }));
  let extended: Record<string, string> = {};
  for (;;) {
    const head = await reader.take(BLOCK);
    if (!head) throw cut();
    if (head.every((byte) => byte === 0)) return;
    if (head.toString('latin1', 257, 262) !== 'ustar') throw invalid(`${file} is not a Tessera backup.`);
    const type = head.toString('latin1', 156, 157);
    // A backup contains no links, devices or folders.
    if (!FILE_TYPES.includes(type))
      throw invalid(`The backup is not safe: it contains an entry of type “${type}”.`);
    const stated = Number.parseInt(head.toString('latin1', 124, 135), 8);
    const bytes = type === 'x' ? stated : Number(extended.size ?? stated);
    if (!Number.isSafeInteger(bytes) || bytes < 0) throw cut();
    const padding = Math.ceil(bytes / BLOCK) * BLOCK - bytes;
    if (type === 'x') {
      if (bytes > 64 * 1024) throw cut();
      const text = await reader.take(bytes + padding);
      if (!text) throw cut();
      extended = recordsIn(text.subarray(0, bytes).toString());
      continue;
    }
    const path = extended.path ?? head.toString('utf8', 0, 100).replace(/\0.*$/s, '');
    extended = {};
    yield { path, bytes, content: reader.stream(bytes) };
    await reader.skipRest();
    if (padding > 0 && !(await reader.take(padding))) throw cut();
  }
}

function recordsIn(text: string): Record<string, string> {
  const records: Record<string, string> = {};
  for (let at = 0; at < text.length; ) {
    const length = Number.parseInt(text.slice(at), 10);
    const [name, value] = text
      .slice(at, at + length)
      .trimEnd()
      .replace(/^\d+ /, '')
      .split(/=(.*)/s);
    if (!length || !name || value === undefined) throw cut();
    records[name] = value;
    at += length;
  }
  return records;
}

/** Reads a given number of bytes from a stream of chunks. */
class Reader {
  private readonly source: AsyncIterator<Buffer>;
  private left: Buffer = Buffer.alloc(0);
  private unread = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.source = source[Symbol.asyncIterator]();
  }

  /** Returns null if the stream ends early. */
  async take(bytes: number): Promise<Buffer | null> {
    while (this.left.length < bytes) {
      const { value, done } = await this.source.next();
      if (done) return null;
      this.left = Buffer.concat([this.left, value]);
    }
    const taken = this.left.subarray(0, bytes);
    this.left = this.left.subarray(bytes);
    return taken;
  }

  async *stream(bytes: number): AsyncGenerator<Uint8Array> {
    this.unread = bytes;
    while (this.unread > 0) {
      if (this.left.length === 0) {
        const { value, done } = await this.source.next();
        if (done) throw cut();
        this.left = value;
      }
      const piece = this.left.subarray(0, this.unread);
      this.left = this.left.subarray(piece.length);
      this.unread -= piece.length;
      yield piece;
    }
  }

  async skipRest(): Promise<void> {
    for await (const _ of this.stream(this.unread));
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
