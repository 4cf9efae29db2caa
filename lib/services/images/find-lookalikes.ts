import { and, asc, eq, gt, notInArray, sql } from 'drizzle-orm';
import { tables } from '@/db';
import type { JobContext } from '@/lib/services/jobs/types';
import { groupLookalikes } from './group-lookalikes';

const { images } = tables;
const pageSize = 10_000;
const rowsPerUpdate = 1000;

/**
 * Puts the images of a project that look alike into groups, among those that are not broken. Excluded ones take
 * part: the one that was kept should still be seen beside those that were not.
 */
export async function findLookalikes(
  context: JobContext,
  { projectId }: { projectId: string },
): Promise<{ images: number; groups: number; lookalikes: number }> {
  const { db, signal } = context;
  const pictures: { id: string; hash: bigint; old: string | null }[] = [];
  for (let after: string | undefined; ; after = pictures.at(-1)?.id) {
    signal.throwIfAborted();
    const page = await db
      .select({ id: images.id, hash: images.perceptualHash, old: images.lookalikeOf })
      .from(images)
      .where(
        and(
          eq(images.projectId, projectId),
          notInArray(images.state, ['broken', 'derived']),
          after ? gt(images.id, after) : undefined,
        ),
      )
      .orderBy(asc(images.id))
      .limit(pageSize);
    pictures.push(...page);
    await context.progress(pictures.length, null, 'Reading hashes');
    if (page.length < pageSize) break;
  }
  const groups = groupLookalikes(pictures);
  const changed = pictures
    .map(({ id, old }) => ({ id, old, now: groups.get(id) ?? null }))
    .filter(({ old, now }) => old !== now);
  for (let from = 0; from < changed.length; from += rowsPerUpdate) {
    signal.throwIfAborted();
    const rows = changed.slice(from, from + rowsPerUpdate).map(({ id, now }) => ({ id, now }));
    await db.execute(sql`
      update ${images} set lookalike_of = r.now
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, now uuid)
      where ${images.id} = r.id`);
    await context.progress(from + rows.length, changed.length, 'Writing groups');
  }
  return {
    images: pictures.length,
    groups: new Set(groups.values()).size,
    lookalikes: groups.size,
  };
}
