import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fromHalf, toHalf } from './half';
import type { Size } from './tensors';

/** What an encoder computed of one picture. */
export interface Embedding {
  /** Side of the encoder's square. */
  side: number;
  /** Size of the picture within the square; prompts use its coordinates. */
  frame: Size;
  tensors: EmbeddingTensor[];
}

export interface EmbeddingTensor {
  name: string;
  dims: number[];
  data: Float32Array;
}

interface Header {
  side: number;
  frame: Size;
  tensors: { name: string; dims: number[] }[];
}

const EXTENSION = '.embedding';
/** Unused files are deleted after this time, so that nothing remains of deleted pictures. */
const MAX_AGE_MS = 30 * 86_400_000;

export const embeddingFile = (folder: string, key: string): string =>
  path.join(/* turbopackIgnore: true */ folder, `${key}${EXTENSION}`);

/** Written beside and renamed into place, because several processes share the folder. */
export async function writeEmbedding(file: string, { side, frame, tensors }: Embedding): Promise<void> {
  const header: Header = { side, frame, tensors: tensors.map(({ name, dims }) => ({ name, dims })) };
  const json = Buffer.from(JSON.stringify(header));
  // Aligned to two bytes, for the halves that follow.
  const padded = Buffer.alloc(4 + json.length + (json.length % 2), ' ');
  padded.writeUInt32LE(padded.length - 4, 0);
  json.copy(padded, 4);
  const parts = tensors.map(({ data }) => Buffer.from(toHalf(data).buffer));
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, Buffer.concat([padded, ...parts]));
  await rename(draft, file);
}

/** Undefined when the file is missing or damaged: the picture is then encoded again. */
export async function readEmbedding(file: string): Promise<Embedding | undefined> {
  const bytes = await readFile(file).catch(() => undefined);
  if (!bytes) return undefined;
  const found = parseEmbedding(bytes);
  const now = new Date();
  // The time of the last use, for the eviction.
  if (found) await utimes(file, now, now).catch(() => undefined);
  else await rm(file, { force: true });
  return found;
}

function parseEmbedding(bytes: Buffer): Embedding | undefined {
  try {
    let at = 4 + bytes.readUInt32LE(0);
    const header: Header = JSON.parse(bytes.toString('utf8', 4, at));
    const tensors = header.tensors.map(({ name, dims }): EmbeddingTensor => {
      const length = dims.reduce((product, side) => product * side, 1);
      // A copy, because the file's buffer need not be aligned.
      const halves = new Uint16Array(new Uint8Array(bytes.subarray(at, at + 2 * length)).buffer);
      if (halves.length !== length) throw new Error('the file is too short');
      at += 2 * length;
      return { name, dims, data: fromHalf(halves) };
    });
    return at === bytes.length ? { side: header.side, frame: header.frame, tensors } : undefined;
  } catch {
    return undefined;
  }
}

/** Deletes the files that were not used for longest until the rest fits, and those that nobody uses any more. */
export async function evictEmbeddings(folder: string, maxBytes: number): Promise<void> {
  const names = await readdir(folder);
  const files = await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      const found = await stat(file).catch(() => undefined);
      return found?.isFile() ? [{ file, bytes: found.size, usedAt: found.mtimeMs }] : [];
    }),
  );
  const newestFirst = files.flat().toSorted((a, b) => b.usedAt - a.usedAt);
  const oldest = Date.now() - MAX_AGE_MS;
  let total = 0;
  for (const { file, bytes, usedAt } of newestFirst) {
    total += bytes;
    if (total > maxBytes || usedAt < oldest) await rm(file, { force: true });
  }
}
