import { type Db, tables } from '@/db';
import { type Statistics, statisticsOf } from '@/lib/statistics';
import type { Storage } from '@/lib/storage';
import { findVersion } from '../versions/find-version';
import { openVersion } from '../versions/open-version';

const { versionStatistics } = tables;

interface Measuring {
  signal?: AbortSignal;
  progress?: (done: number, total: number) => Promise<void>;
}

/** Computes the statistics of a version and keeps them: a version never changes, so they do not either. */
export async function measureVersion(
  db: Db,
  storage: Storage,
  input: { projectId: string; version: string },
  { signal, progress }: Measuring = {},
): Promise<Statistics> {
  const version = await findVersion(db, input);
  const dataset = await openVersion(db, storage, version);
  const found = await statisticsOf(dataset, async (done) => {
    signal?.throwIfAborted();
    await progress?.(done, dataset.count);
  });
  const document = { ...found };
  await db
    .insert(versionStatistics)
    .values({ versionId: version.id, document })
    .onConflictDoUpdate({ target: versionStatistics.versionId, set: { document } });
  return found;
}
