import { beforeAll, expect, it } from 'vitest';
import { tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { checkExport } from '@/lib/services/datasets/exports/open-export';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { diffVersions } from '@/lib/services/datasets/versions/diff-versions';
import { type Storage, storage } from '@/lib/services/storage';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { labelledProject, patiently } from '../../support/labelled-project';

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
