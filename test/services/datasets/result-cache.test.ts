import { beforeAll, expect, it } from 'vitest';
import { tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { checkExport } from '@/lib/services/datasets/exports/open-export';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { ResultCache, waitAtMost } from '@/lib/services/datasets/result-cache';
import { diffVersions } from '@/lib/services/datasets/versions/diff-versions';
import { type Storage, storage } from '@/lib/services/storage';
import { useDatabase } from '@/test/support/database';
import { useHome } from '@/test/support/home';
import { labelledProject, patiently } from '@/test/support/labelled-project';

/** A reading that ends when the test says so. */
function later() {
  let resolve: (text: string) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<string>((fulfil, fail) => {
    resolve = fulfil;
    reject = fail;
  });
  return { promise, resolve, reject };
}

it('is read once, however many ask, and a second look costs nothing', async () => {
  const remembered = new ResultCache<string>(10);
  const reading = later();
  let readings = 0;
  const read = () => {
    readings += 1;
    return reading.promise;
  };
  const asked = [remembered.get('a', read), remembered.get('a', read)];
  reading.resolve('all labels');
  expect(await Promise.all(asked)).toEqual(['all labels', 'all labels']);
  expect(await remembered.get('a', read)).toBe('all labels');
  expect(readings).toBe(1);
});

it('is tried anew after a failure', async () => {
  const remembered = new ResultCache<string>(10);
  await expect(remembered.get('a', () => Promise.reject(new Error('disk')))).rejects.toThrow('disk');
  expect(await remembered.get('a', async () => 'all labels')).toBe('all labels');
});

it('forgets what was asked for longest ago', async () => {
  const remembered = new ResultCache<string>(2);
  for (const key of ['a', 'b', 'a', 'c']) await remembered.get(key, async () => key);
  expect(await remembered.get('a', async () => 'anew')).toBe('a');
  expect(await remembered.get('b', async () => 'anew')).toBe('anew');
});

it('reads two at a time, and the next when one has failed', async () => {
  const remembered = new ResultCache<string>(10);
  const readings = [later(), later(), later()];
  const begun: number[] = [];
  const asked = readings.map(({ promise }, index) =>
    remembered.get(String(index), () => {
      begun.push(index);
      return promise;
    }),
  );
  await expect.poll(() => begun).toEqual([0, 1]);
  readings[1]?.reject(new Error('disk'));
  await expect(asked[1]).rejects.toThrow('disk');
  readings[2]?.resolve('third');
  expect(await asked[2]).toBe('third');
  readings[0]?.resolve('first');
  expect(await asked[0]).toBe('first');
});

it('lets a page go on without what takes too long, and has it at the next look', async () => {
  const remembered = new ResultCache<string>(10);
  const reading = later();
  expect(
    await waitAtMost(
      remembered.get('a', () => reading.promise),
      1,
    ),
  ).toBeNull();
  reading.resolve('all labels');
  expect(
    await waitAtMost(
      remembered.get('a', async () => 'anew'),
      60_000,
    ),
  ).toBe('all labels');
});

const db = useDatabase();
useHome();

let projectId = '';
beforeAll(async () => {
  ({ projectId } = await labelledProject(db(), {
    preset: 'part-imagenet',
    slug: 'looks',
    count: 6,
    classes: ['Bird', 'Fish'],
  }));
  const freeze = (licence: string) =>
    freezeVersion(patiently(db()), systemActor('Rita'), {
      projectId,
      request: FreezeRequest.parse({ licence }),
    });
  await freeze('CC0');
  await db().update(tables.images).set({ groupKey: 'pond' });
  await freeze('CC BY 4.0');
});

/** The store, and how often a manifest was opened. */
function counted() {
  const reads = { n: 0 };
  const real = storage();
  const counting: Storage = {
    ...real,
    get: (...given) => {
      reads.n += 1;
      return real.get(...given);
    },
  };
  return { reads, counting };
}

it('a researcher who looks at the check of an export again reads no label again; other options are looked at', async () => {
  const { reads, counting } = counted();
  const look = (options: Record<string, unknown> = {}) =>
    checkExport(db(), counting, { projectId, version: '1', format: 'coco', options });
  const first = await look();
  const once = reads.n;
  expect(once).toBeGreaterThan(0);
  expect(await look({ labels: 'parts' })).toEqual(first);
  expect(reads.n).toBe(once);
  await look({ labels: 'boxes' });
  expect(reads.n).toBeGreaterThan(once);
});

it('a comparison that was seen costs nothing again, and the way back is another', async () => {
  const { reads, counting } = counted();
  const first = await diffVersions(db(), counting, { projectId, from: '1', to: '2' });
  const once = reads.n;
  expect(await diffVersions(db(), counting, { projectId, from: 'v1', to: 'latest' })).toEqual(first);
  expect(reads.n).toBe(once);
  await diffVersions(db(), counting, { projectId, from: '2', to: '1' });
  expect(reads.n).toBeGreaterThan(once);
});
