import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { startExport } from '@/lib/services/datasets/exports/export-jobs';
import { listExports } from '@/lib/services/datasets/exports/list-exports';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { listColumns } from '@/lib/services/datasets/freeze/members';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import {
  findLatestJob,
  getVersion,
  listActiveJobs,
  listVersions,
} from '@/lib/services/datasets/versions/list-versions';
import { listVersionPictures, measurePictureBytes } from '@/lib/services/datasets/versions/open-version';
import {
  computeStatistics,
  readStatistics,
  STATISTICS_JOB,
  startStatistics,
  statisticsTitle,
} from '@/lib/services/datasets/versions/version-statistics';
import { storage } from '@/lib/services/storage';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { labelledProject, patiently } from '../../support/labelled-project';
import { countStatements } from '../access/statements';

const db = useDatabase();
useHome();
const { images } = tables;
const rita = systemActor('Rita');

describe('what the pages of a version ask', () => {
  let projectId = '';
  const freeze = (seed: string) =>
    freezeVersion(patiently(db()), rita, {
      projectId,
      request: FreezeRequest.parse({ split: { kind: 'stratified', seed } }),
    });

  beforeAll(async () => {
    ({ projectId } = await labelledProject(db(), { preset: 'part-imagenet', slug: 'pages', count: 22 }));
    for (const seed of ['a', 'b', 'c']) await freeze(seed);
  });

  it('is one statement for the list, however many versions and tags there are', async () => {
    for (const limit of [1, 3])
      expect(await countStatements(db(), () => listVersions(db(), { projectId, limit }))).toBe(1);
    expect((await listVersions(db(), { projectId })).map(({ number }) => number)).toEqual([3, 2, 1]);
  });

  it('is one statement for the exports and one for those at work', async () => {
    const { id } = await getVersion(db(), { projectId, version: '1' });
    for (const segmentation of ['rle', 'polygons'])
      await startExport(db(), storage(), rita, {
        projectId,
        version: '1',
        format: 'coco',
        options: { segmentation },
      });
    const statements = await countStatements(db(), async () => {
      const found = await listExports(db(), { projectId, versionId: id });
      const jobs = await listActiveJobs(
        db(),
        found.flatMap(({ jobId }) => jobId ?? []),
      );
      expect(found).toHaveLength(2);
      expect(jobs.size).toBe(2);
    });
    expect(statements).toBe(2);
  });

  it('computes statistics once, and finds the pictures behind a name in one statement', async () => {
    const version = await getVersion(db(), { projectId, version: '1' });
    expect(await readStatistics(db(), version.id)).toBeNull();
    const found = await computeStatistics(patiently(db()), { projectId, version: '1' });
    expect(found.totals).toMatchObject({ images: 22, partMasks: version.card.counts.masks });
    expect(found.findings.filter(({ kind }) => kind === 'contradictory')).toEqual([]);
    expect(await readStatistics(db(), version.id)).toEqual(found);
    // A second measuring, by a job that came late, leaves the same figures.
    expect(await computeStatistics(patiently(db()), { projectId, version: '1' })).toEqual(found);

    const rows = await db().select().from(images).where(eq(images.projectId, projectId)).limit(2);
    const names = rows.map(({ name }) => name).sort();
    const byName = await listVersionPictures(db(), { versionId: version.id, names });
    expect(byName.map(({ name }) => name).sort()).toEqual(names);
    const sources = rows.map(({ sourceSha256 }) => sourceSha256);
    const again = { versionId: version.id, sources };
    expect(await listVersionPictures(db(), again)).toHaveLength(2);
    expect(await countStatements(db(), () => listVersionPictures(db(), { ...again, names }))).toBe(1);
    expect(await measurePictureBytes(db(), version.id)).toBeGreaterThan(1000);
  });

  it('finds the newest job about a version by what it is called', async () => {
    const about = { projectId, kind: STATISTICS_JOB, title: statisticsTitle(2) };
    expect(await findLatestJob(db(), about)).toBeNull();
    const { jobId } = await startStatistics(db(), rita, { projectId, version: '2' });
    expect((await findLatestJob(db(), about))?.id).toBe(jobId);
    expect(await findLatestJob(db(), { ...about, title: statisticsTitle(3) })).toBeNull();
    expect(await startStatistics(db(), rita, { projectId, version: '1' })).toEqual({ jobId: null });
  });

  it('offers the columns that came with the images', async () => {
    expect(await listColumns(db(), projectId)).toEqual([]);
    await db()
      .update(images)
      .set({ columns: { city: 'ulm', day: '3' } })
      .where(eq(images.projectId, projectId));
    expect(await listColumns(db(), projectId)).toEqual(['city', 'day']);
  });
});
