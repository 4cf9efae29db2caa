import { database } from '@/db';
import type { Statistics } from '@/lib/core/statistics';
import { computeStatistics, readStatistics } from '@/lib/services/datasets/versions/version-statistics';
import { storage } from '@/lib/services/storage';
import type { PageVersion } from '../version-header';

/** A version of this many images is measured within about a second, while the page waits. */
const AT_ONCE = 400;

/** The kept statistics; those of a small version are computed when they are first asked for. Null: a job has to. */
export async function loadStatistics({ version, access }: PageVersion): Promise<Statistics | null> {
  const db = database();
  const kept = await readStatistics(db, version.id);
  if (kept || version.images > AT_ONCE) return kept;
  return computeStatistics(
    { db, storage: storage(), signal: new AbortController().signal, progress: async () => {} },
    { projectId: access.project.id, version: version.id },
  );
}
