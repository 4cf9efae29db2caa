import { invalid } from '@/lib/core/errors';
import { decodeNpy } from '@/lib/core/formats/codecs/npy';
import type { Picture } from '../picture';

/** Classifies a picture: a class index, or null for "cannot tell". */
export type Oracle = (picture: Picture) => Promise<number | null>;

/**
 * Zero-shot classification (CLIP): the class whose word embedding has the largest cosine similarity. Returns null if the
 * lead over the second class is below `margin`.
 */
export function classifyByEmbedding(
  embedding: ArrayLike<number>,
  words: readonly ArrayLike<number>[],
  margin = 0,
): number | null {
  const scores = words.map((word) => cosine(embedding, word));
  if (scores.length === 0 || scores.some((score) => !Number.isFinite(score))) return null;
  const best = scores.indexOf(Math.max(...scores));
  const second = scores.reduce((max, score, i) => (i === best ? max : Math.max(max, score)), -1);
  return (scores[best] as number) - second < margin ? null : best;
}

/** The class chosen by more than half of the oracles; null if there is none. */
export const majority =
  (oracles: readonly Oracle[]): Oracle =>
  async (picture) => {
    const votes = await Promise.all(oracles.map((oracle) => oracle(picture)));
    const found = votes.find(
      (vote) => vote !== null && 2 * votes.filter((other) => other === vote).length > votes.length,
    );
    return found ?? null;
  };

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, x, y] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += (a[i] as number) * (b[i] as number);
    x += (a[i] as number) ** 2;
    y += (b[i] as number) ** 2;
  }
  return dot / Math.sqrt(x * y);
}

/** As JSON, 4,096 classes with 1,024 numbers take about a third of it. */
export const MAX_EMBEDDING_BYTES = 64 * 1024 * 1024;

const NPY = 0x93;

/**
 * Reads word embeddings of the classes, computed by the text encoder: a NumPy `.npy` array of classes × numbers, or JSON
 * with a list of lists or an object with one list per class.
 */
export function readWordEmbeddings(bytes: Uint8Array, classes: readonly string[]): Float32Array[] {
  if (bytes.length > MAX_EMBEDDING_BYTES)
    throw invalid(`The embeddings have more than ${MAX_EMBEDDING_BYTES / 2 ** 20} MB.`);
  const rows = bytes[0] === NPY ? fromNpy(bytes) : fromJson(bytes, classes);
  if (rows.length !== classes.length)
    throw invalid(
      `There are ${rows.length} embeddings and ${classes.length} classes. Give one row for each class, in the same order.`,
    );
  const length = rows[0]?.length ?? 0;
  const faulty = rows.findIndex(
    (row) =>
      row.length !== length || length === 0 || !row.every(Number.isFinite) || row.every((v) => v === 0),
  );
  if (faulty >= 0)
    throw invalid(
      `The embedding of "${classes[faulty]}" is not usable: each has the same length, numbers only, and is not all zero.`,
    );
  rows.forEach((row, i) => {
    const twin = rows.findIndex((other, j) => j < i && other.every((value, k) => value === row[k]));
    if (twin >= 0)
      throw invalid(
        `"${classes[twin]}" and "${classes[i]}" have the same embedding: the oracle could not tell them apart.`,
      );
  });
  return rows;
}

function fromNpy(bytes: Uint8Array): Float32Array[] {
  const { shape, values } = readNpy(bytes);
  const [count = 0, length = 0] = shape;
  if (shape.length !== 2)
    throw invalid(`The embeddings are ${shape.join(' × ')}, not classes × numbers (two sides).`);
  return Array.from({ length: count }, (_, i) =>
    Float32Array.from(values.slice(i * length, (i + 1) * length)),
  );
}

function readNpy(bytes: Uint8Array) {
  try {
    return decodeNpy(bytes);
  } catch (error) {
    throw invalid(`The embeddings cannot be read: ${(error as Error).message}. Save them as float32.`);
  }
}

function fromJson(bytes: Uint8Array, classes: readonly string[]): Float32Array[] {
  const found = parsed(bytes);
  if (Array.isArray(found)) return found.map(row);
  if (found === null || typeof found !== 'object')
    throw invalid('The embeddings are neither a list of lists nor an object with a list for each class.');
  const named = new Map(Object.entries(found));
  const missing = classes.find((name) => !named.has(name));
  if (missing !== undefined) throw invalid(`There is no embedding of "${missing}". Give one for each class.`);
  return classes.map((name) => row(named.get(name)));
}

const row = (values: unknown): Float32Array =>
  Array.isArray(values) && values.every((value) => typeof value === 'number')
    ? Float32Array.from(values)
    : new Float32Array();

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw invalid('The embeddings are neither a .npy file nor JSON.');
  }
}
