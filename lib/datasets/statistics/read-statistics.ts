import { eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { Statistics } from '@/lib/statistics';

const { versionStatistics } = tables;

/** What is written down today; kept figures of an older edition are computed anew. */
const EDITION: Statistics['edition'] = 1;

/** The kept statistics of a version, or null. */
export async function readStatistics(db: Db, versionId: string): Promise<Statistics | null> {
  const [row] = await db
    .select({ document: versionStatistics.document })
    .from(versionStatistics)
    .where(eq(versionStatistics.versionId, versionId));
  const found = row?.document as unknown as Statistics | undefined;
  return found?.edition === EDITION ? found : null;
}
