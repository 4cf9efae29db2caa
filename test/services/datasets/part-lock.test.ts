import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lockPart } from '@/lib/services/datasets/exports/export-version';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'tessera-lock-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('of many who want to write one export at once, one does (two did, when a lock was seen before its holder was in it)', async () => {
  for (let round = 0; round < 40; round++) {
    const file = path.join(folder, `export-${round}.lock`);
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => lockPart(file)));
    const held = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(held).toHaveLength(1);
    await held[0]?.();
  }
  expect(await readdir(folder)).toEqual([]);
});

it('a lock whose writer died before it could say who it is keeps nobody away', async () => {
  const file = path.join(folder, 'dead.lock');
  await writeFile(file, '');
  await (await lockPart(file))();
  expect(await readdir(folder)).toEqual([]);
});
