import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  embeddingFile,
  evictEmbeddings,
  readEmbedding,
  writeEmbedding,
} from '@/lib/services/inference/assists/embedding-files';
import { fromHalf, toHalf } from '@/lib/services/inference/assists/half';
import { LeastRecentlyUsed } from '@/lib/services/inference/assists/least-recently-used';

const folder = mkdtempSync(path.join(os.tmpdir(), 'tessera-embeddings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const embedding = (seed: number) => ({
  side: 64,
  frame: { width: 64, height: 48 },
  tensors: [
    { name: 'a', dims: [1, 2, 3], data: Float32Array.from({ length: 6 }, (_, i) => seed + i / 7) },
    { name: 'b', dims: [5], data: Float32Array.from({ length: 5 }, (_, i) => -seed * i) },
  ],
});

describe('half precision', () => {
  it('keeps every value within 1/2,048, and small, large and special ones as halves have them', () => {
    const values = Float32Array.from({ length: 4001 }, (_, i) => (i - 2000) * 1.0137 ** (i % 500) * 1e-3);
    const back = fromHalf(toHalf(values));
    for (const [i, value] of values.entries()) {
      const allowed = Math.max(Math.abs(value) / 2048, 2 ** -24);
      expect(Math.abs((back[i] as number) - value)).toBeLessThanOrEqual(allowed);
    }
    const special = Float32Array.of(0, 1, -2, 65504, 1e9, -1e9, 1e-9, 2 ** -24, 2 ** -14, Number.NaN);
    expect(Array.from(fromHalf(toHalf(special)))).toEqual([
      0,
      1,
      -2,
      65504,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      0,
      2 ** -24,
      2 ** -14,
      Number.NaN,
    ]);
  });
});

describe('a stored embedding', () => {
  it('is read as it was written, and takes two bytes a value', async () => {
    const file = embeddingFile(folder, 'one');
    await writeEmbedding(file, embedding(3));
    const found = await readEmbedding(file);
    expect(found).toMatchObject({ side: 64, frame: { width: 64, height: 48 } });
    expect(found?.tensors.map(({ name, dims }) => [name, dims])).toEqual([
      ['a', [1, 2, 3]],
      ['b', [5]],
    ]);
    expect(found?.tensors[1]?.data).toEqual(embedding(3).tensors[1]?.data);
    expect(readFileSync(file).length).toBeLessThan(250);
    expect(readdirSync(folder)).toEqual(['one.embedding']);
  });

  it('that is damaged is treated as missing, and removed', async () => {
    const file = embeddingFile(folder, 'damaged');
    await writeEmbedding(file, embedding(1));
    truncateSync(file, readFileSync(file).length - 2);
    expect(await readEmbedding(file)).toBeUndefined();
    writeFileSync(file, 'nonsense');
    expect(await readEmbedding(file)).toBeUndefined();
    expect(readdirSync(folder)).not.toContain('damaged.embedding');
    expect(await readEmbedding(file)).toBeUndefined();
  });

  it('is evicted when it was not used for longest, or not for a month', async () => {
    const own = path.join(folder, 'own');
    const names = ['a', 'b', 'c', 'd'];
    for (const [i, name] of names.entries()) {
      await writeEmbedding(embeddingFile(own, name), embedding(1));
      const time = new Date(Date.now() - (100 - i) * 60_000);
      utimesSync(embeddingFile(own, name), time, time);
    }
    await readEmbedding(embeddingFile(own, 'a'));
    const { length } = readFileSync(embeddingFile(own, 'a'));
    await evictEmbeddings(own, 3 * length);
    expect(readdirSync(own).sort()).toEqual(['a.embedding', 'c.embedding', 'd.embedding']);
    const old = new Date(Date.now() - 31 * 86_400_000);
    utimesSync(embeddingFile(own, 'c'), old, old);
    await evictEmbeddings(own, 3 * length);
    expect(readdirSync(own).sort()).toEqual(['a.embedding', 'd.embedding']);
  });
});

describe('embeddings in memory', () => {
  it('used last are kept, the others are read again', async () => {
    const read: string[] = [];
    const recent = new LeastRecentlyUsed<string>(2);
    const find = (key: string) =>
      recent.find(key, async () => {
        read.push(key);
        return key;
      });
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) expect(await find(key)).toBe(key);
    expect(read).toEqual(['a', 'b', 'c', 'b']);
  });

  it('never take more than their bytes, and one that is larger stands alone', () => {
    const recent = new LeastRecentlyUsed<number>(100, (bytes) => bytes);
    for (const [key, bytes] of Object.entries({ a: 40, b: 40, c: 40, d: 10 })) recent.set(key, bytes);
    expect(recent.weight).toBe(90);
    expect(recent.get('a')).toBeUndefined();
    recent.set('b', 60);
    expect(recent.weight).toBe(70);
    recent.set('e', 500);
    expect(recent.weight).toBe(500);
    expect(recent.get('b')).toBeUndefined();
  });
});
